/// Anthropic's messages: begin with [AnthropicModel].
@NullMarked
package dev.skein.provider.anthropic;

import org.jspecify.annotations.NullMarked;
