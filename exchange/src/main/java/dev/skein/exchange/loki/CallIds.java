package dev.skein.exchange.loki;

import dev.skein.exchange.loki.YamlValue.Mapping;
import dev.skein.exchange.loki.YamlValue.Scalar;
import dev.skein.exchange.loki.YamlValue.Sequence;
import dev.skein.message.ToolCallId;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Names tool calls: by the id they have, or else `call_1`, `call_2` and so on, skipping ids that the file
/// uses itself.
final class CallIds {

    private final Set<String> used = new HashSet<>();
    private int minted;

    /// Ids for the calls in this file.
    CallIds(Mapping file) {
        note(file.get("compressed_messages"));
        note(file.get("messages"));
    }

    ToolCallId idOf(Mapping call) {
        var id = call.text("id");
        return new ToolCallId(id == null || id.isBlank() ? mint() : id);
    }

    private String mint() {
        String id;
        do {
            id = "call_" + ++minted;
        } while (used.contains(id));
        return id;
    }

    private void note(@Nullable YamlValue messages) {
        if (messages instanceof Sequence list) {
            list.items().forEach(this::noteMessage);
        }
    }

    private void noteMessage(YamlValue message) {
        if (message instanceof Mapping fields
                && fields.get("content") instanceof Mapping content
                && content.get("tool_results") instanceof Sequence results) {
            for (var result : results.items()) {
                if (result instanceof Mapping item
                        && item.get("call") instanceof Mapping call
                        && call.present("id") instanceof Scalar id) {
                    used.add(id.text());
                }
            }
        }
    }
}
