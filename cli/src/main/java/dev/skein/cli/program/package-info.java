/// The running program: what every command shares.
///
/// A [Program] is made once for each run. It knows where home is, whose sessions are meant, what time it is and
/// how to answer, and opens the store when a command first asks for it. Which store that is, [Wiring] alone
/// knows. Failures become one sentence and an [ExitCode] in [Failures].
@NullMarked
package dev.skein.cli.program;

import org.jspecify.annotations.NullMarked;
