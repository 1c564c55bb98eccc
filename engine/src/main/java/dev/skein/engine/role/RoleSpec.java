package dev.skein.engine.role;

import dev.skein.message.Part;
import dev.skein.model.ModelName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A role. Null means that it leaves this to the settings of all.
///
/// A prompt that says `__INPUT__` somewhere is not told to the model on its own: it is put around what the person
/// says. Any other may have examples behind it, each an [Example] between `### INPUT:` and `### OUTPUT:`.
///
/// @param tools the names of the tools to offer; an empty list offers none
/// @param mcpServers the names of the MCP servers whose tools are offered; an empty list for none
public record RoleSpec(
        String name,
        String prompt,
        @Nullable String description,
        @Nullable ModelName model,
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable List<String> tools,
        @Nullable List<String> mcpServers) {

    public static final String INPUT = "__INPUT__";

    public RoleSpec {
        tools = tools == null ? null : List.copyOf(tools);
        mcpServers = mcpServers == null ? null : List.copyOf(mcpServers);
    }

    /// What the model is told about its task.
    public @Nullable String system() {
        var told = isFrame() ? "" : Example.split(prompt).prompt();
        return told.isBlank() ? null : told;
    }

    /// What the model is shown as if it had been said before.
    public List<Example> examples() {
        return isFrame() ? List.of() : Example.split(prompt).examples();
    }

    /// What the person says, as the role has it. Words come last, behind what is attached.
    public List<Part> framed(List<Part> said) {
        if (!isFrame()) {
            return said;
        }
        var framed = new ArrayList<>(said);
        var words = said.isEmpty() ? null : said.getLast();
        if (words instanceof Part.Text(var text)) {
            framed.set(framed.size() - 1, new Part.Text(prompt.replace(INPUT, text)));
        } else {
            framed.add(new Part.Text(prompt.replace(INPUT, "")));
        }
        return framed;
    }

    private boolean isFrame() {
        return prompt.contains(INPUT);
    }
}
