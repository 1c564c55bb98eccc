/// Connections that notice when their client goes away, also while nothing is sent to it, and that let go of a request
/// whose
/// answer has no end. Begin with [ClientLine] and [Sequel].
@NullMarked
package dev.skein.server.connection;

import org.jspecify.annotations.NullMarked;
