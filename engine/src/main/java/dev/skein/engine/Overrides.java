package dev.skein.engine;

import dev.skein.model.ModelName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one request wants otherwise than its session. Null means: as it is.
///
/// @param tools the names of the tools to offer; an empty list offers none
/// @param rag where passages are looked for; `none` for nowhere
public record Overrides(
        @Nullable ModelName model,
        @Nullable String role,
        @Nullable String system,
        @Nullable Double temperature,
        @Nullable List<String> tools,
        @Nullable String rag) {

    public static final Overrides NONE = new Overrides(null, null, null, null, null, null);

    public Overrides {
        tools = tools == null ? null : List.copyOf(tools);
    }

    public Overrides withModel(@Nullable ModelName newModel) {
        return new Overrides(newModel, role, system, temperature, tools, rag);
    }

    public Overrides withRole(@Nullable String newRole) {
        return new Overrides(model, newRole, system, temperature, tools, rag);
    }

    public Overrides withSystem(@Nullable String newSystem) {
        return new Overrides(model, role, newSystem, temperature, tools, rag);
    }

    public Overrides withTools(@Nullable List<String> newTools) {
        return new Overrides(model, role, system, temperature, newTools, rag);
    }

    public Overrides withRag(@Nullable String newRag) {
        return new Overrides(model, role, system, temperature, tools, newRag);
    }
}
