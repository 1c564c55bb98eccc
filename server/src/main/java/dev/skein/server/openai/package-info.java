/// The API that other programs know: chat completions and models as OpenAI's clients expect them, run by the engine.
/// Begin with [OpenAiRoutes].
@NullMarked
package dev.skein.server.openai;

import org.jspecify.annotations.NullMarked;
