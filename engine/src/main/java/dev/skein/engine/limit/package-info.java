/// How much a run may take: [Limits].
@NullMarked
package dev.skein.engine.limit;

import org.jspecify.annotations.NullMarked;
