package dev.skein.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.skein.failure.InvalidRequest;

/// Names a model: who offers it, and what they call it. Written `provider:model`.
public record ModelName(String provider, String model) {

    public ModelName {
        if (provider.isBlank() || model.isBlank() || provider.indexOf(':') >= 0) {
            throw new InvalidRequest("a model is named provider:model, for example openai:gpt-4o, not '%s:%s'"
                    .formatted(provider, model));
        }
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static ModelName parse(String text) {
        var colon = text.indexOf(':');
        if (colon < 0) {
            throw new InvalidRequest("a model is named provider:model, for example openai:gpt-4o, not '" + text + "'");
        }
        return new ModelName(text.substring(0, colon), text.substring(colon + 1));
    }

    @Override
    @JsonValue
    public String toString() {
        return provider + ":" + model;
    }
}
