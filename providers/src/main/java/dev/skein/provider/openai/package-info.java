/// OpenAI's chat completions, and whatever server speaks the same: begin with [OpenAiModel].
@NullMarked
package dev.skein.provider.openai;

import org.jspecify.annotations.NullMarked;
