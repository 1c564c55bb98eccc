/// Measures what the store promises about cost, each figure beside a control taken in the same run.
@NullMarked
package dev.skein.bench;

import org.jspecify.annotations.NullMarked;
