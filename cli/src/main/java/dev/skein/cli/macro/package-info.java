/// Macros: lines for the prompt that have a name, kept as files in `macros/`. Begin with [MacroSpec]; the files are
/// read by
/// [MacroFiles], and `repl` runs them. The commands of `skein macros` are here too.
@NullMarked
package dev.skein.cli.macro;

import org.jspecify.annotations.NullMarked;
