/// Memory: notes that outlive sessions, as files that a person can read and change. Begin with [MemoryTools].
@NullMarked
package dev.skein.tools.memory;

import org.jspecify.annotations.NullMarked;
