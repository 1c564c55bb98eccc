/// Finds files by their names and lines by a pattern, within a [dev.skein.tools.files.Workspace]. Every search has a
/// bound on its time and on what it returns. Begin with [SearchTools].
@NullMarked
package dev.skein.tools.search;

import org.jspecify.annotations.NullMarked;
