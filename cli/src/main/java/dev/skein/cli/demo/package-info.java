/// `skein demo`: shows a newcomer what Skein promises, and checks each promise while they watch.
///
/// Nothing is pretended: a [Stage] is a home of its own in which real `skein` processes are started and killed, a
/// [Story]
/// tells what happens in plain words, and [Promises] counts what was kept and what was not. Begin with [DemoCommand].
@NullMarked
package dev.skein.cli.demo;

import org.jspecify.annotations.NullMarked;
