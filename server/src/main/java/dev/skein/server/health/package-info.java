/// Whether the server lives, and whether it should get requests.
@NullMarked
package dev.skein.server.health;

import org.jspecify.annotations.NullMarked;
