/// Mistral's chat completions, which are almost OpenAI's: begin with [MistralModel].
@NullMarked
package dev.skein.provider.mistral;

import org.jspecify.annotations.NullMarked;
