/// Runs other programs: the shell, and scripts that a person put beside a schema. What runs sees only an allowed part
/// of the environment and ends, with everything it started, when we say so or when we end. Begin with [ChildProcess].
@NullMarked
package dev.skein.tools.process;

import org.jspecify.annotations.NullMarked;
