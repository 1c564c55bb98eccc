/// Models that Ollama serves, usually on this machine: begin with [OllamaModel].
@NullMarked
package dev.skein.provider.ollama;

import org.jspecify.annotations.NullMarked;
