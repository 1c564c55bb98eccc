/// What finds out how parsers take nonsense: in a moment with [Mutations], in every build, or for as long as one likes
/// with `bin/fuzz`, which runs the same targets under Jazzer.
@NullMarked
package dev.skein.testkit.fuzz;

import org.jspecify.annotations.NullMarked;
