/// The program `skein`: its entry point and its command line.
///
/// [Main] puts the commands together and runs one. What commands share is in `program`, what they write to in
/// `terminal`, the commands on sessions in `session`. Nothing in here keeps state between runs.
@NullMarked
package dev.skein.cli;

import org.jspecify.annotations.NullMarked;
