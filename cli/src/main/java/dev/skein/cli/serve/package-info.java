/// `skein serve`: the engine over HTTP, with the program's own store, models and tools.
///
/// What the server does is the server's business. Begin with [ServeCommand].
@NullMarked
package dev.skein.cli.serve;

import org.jspecify.annotations.NullMarked;
