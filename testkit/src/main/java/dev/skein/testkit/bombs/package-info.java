/// Documents that are small to send and dear to read: what a parser must refuse before it has spent much. Begin with
/// [Bombs].
@NullMarked
package dev.skein.testkit.bombs;

import org.jspecify.annotations.NullMarked;
