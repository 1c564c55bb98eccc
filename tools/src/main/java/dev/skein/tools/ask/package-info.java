/// Questions that a person answers: pick one, yes or no, some text, pick several. Begin with [AskTools].
@NullMarked
package dev.skein.tools.ask;

import org.jspecify.annotations.NullMarked;
