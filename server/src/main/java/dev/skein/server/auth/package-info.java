/// Who is asking, and what they may do.
@NullMarked
package dev.skein.server.auth;

import org.jspecify.annotations.NullMarked;
