package dev.skein.exchange.imports;

import dev.skein.failure.UnreadableImport;
import dev.skein.wire.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// Session files with one JSON object a line. A line that cannot be read is left out and told about: the tools that
/// write
/// such files may have been killed while they did.
record LineFiles(List<ObjectNode> lines, int damaged) {

    private static final int LOOK_AT = 50;

    static Optional<ForeignSession> read(SourceFile file) {
        var read = parse(file);
        var tool = read.tool();
        if (tool == null) {
            return Optional.empty();
        }
        var session = switch (tool) {
            case CLAUDE_CODE -> ClaudeFile.read(read.lines, file);
            case CODEX -> CodexFile.read(read.lines, file);
            case PI -> PiFile.read(read.lines, file);
            default -> throw new IllegalStateException("no tool that writes lines: " + tool);
        };
        var whole = session.from(file);
        return Optional.of(read.damaged == 0 ? whole : whole.damaged(read.damaged + " lines cannot be read"));
    }

    private @Nullable Tool tool() {
        for (var line : lines.subList(0, Math.min(lines.size(), LOOK_AT))) {
            if (PiFile.isHead(line)) {
                return Tool.PI;
            }
            if (CodexFile.isHead(line)) {
                return Tool.CODEX;
            }
            if (ClaudeFile.isEntry(line)) {
                return Tool.CLAUDE_CODE;
            }
        }
        return null;
    }

    private static LineFiles parse(SourceFile file) {
        var content = file.content();
        var lines = new ArrayList<ObjectNode>();
        var damaged = 0;
        for (int from = 0, to; from < content.length; from = to + 1) {
            to = from;
            while (to < content.length && content[to] != '\n') {
                to++;
            }
            if (!new String(content, from, Math.min(to - from, 64), StandardCharsets.UTF_8).isBlank()) {
                try {
                    if (Json.MAPPER.readTree(content, from, to - from) instanceof ObjectNode object) {
                        lines.add(object);
                    } else {
                        damaged++;
                    }
                } catch (JacksonException _) {
                    damaged++;
                }
            }
        }
        if (lines.isEmpty() && damaged > 0) {
            throw new UnreadableImport(file.name(), "has no line that is a JSON object");
        }
        return new LineFiles(lines, damaged);
    }
}
