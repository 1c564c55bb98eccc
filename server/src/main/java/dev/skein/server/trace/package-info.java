/// What happened during a request, as OpenTelemetry spans with the conventions for generative AI. Off unless an
/// endpoint is set; begin with [dev.skein.server.trace.Traces].
@NullMarked
package dev.skein.server.trace;

import org.jspecify.annotations.NullMarked;
