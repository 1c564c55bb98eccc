/// Who comes, and what is kept for them: connections that notice when their client goes away, also while nothing is
/// sent
/// to it, and that let go of a request whose answer has no end. The web server reads and answers their requests.
/// Begin with [Listener], then [ClientLine] and [Sequel].
@NullMarked
package dev.skein.server.connection;

import org.jspecify.annotations.NullMarked;
