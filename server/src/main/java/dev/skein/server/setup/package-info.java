/// What a server is handed: the engine with its parts, and how it is to behave.
@NullMarked
package dev.skein.server.setup;

import org.jspecify.annotations.NullMarked;
