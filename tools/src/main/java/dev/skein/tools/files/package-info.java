/// Files of one directory, and nothing outside it: read, write, edit, list. The walls are [Workspace]; begin there.
@NullMarked
package dev.skein.tools.files;

import org.jspecify.annotations.NullMarked;
