/// Connections that notice when their client goes away, also while nothing is sent to it. Begin with [ClientLine].
@NullMarked
package dev.skein.server.connection;

import org.jspecify.annotations.NullMarked;
