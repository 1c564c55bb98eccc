/// Google's Gemini, in its own format: begin with [GeminiModel].
@NullMarked
package dev.skein.provider.gemini;

import org.jspecify.annotations.NullMarked;
