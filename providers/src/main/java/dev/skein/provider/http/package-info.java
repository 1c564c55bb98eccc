/// HTTP to providers: a client that blocks the caller's virtual thread and hangs up when asked to.
///
/// [StreamingHttp] sits behind LangChain4j's port for HTTP clients; [HttpCall] ties one exchange to one cancellation;
/// [Secret] keeps keys out of texts. Begin with [StreamingHttp].
@NullMarked
package dev.skein.provider.http;

import org.jspecify.annotations.NullMarked;
