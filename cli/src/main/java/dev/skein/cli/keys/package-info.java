/// `skein keys`: who may use the server.
@NullMarked
package dev.skein.cli.keys;

import org.jspecify.annotations.NullMarked;
