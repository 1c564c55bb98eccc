/// Regular expressions that somebody else wrote, held to a budget: begin with [WatchedText].
@NullMarked
package dev.skein.pattern;

import org.jspecify.annotations.NullMarked;
