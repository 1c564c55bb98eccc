package dev.skein.tools.memory;

import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Arguments;
import dev.skein.tools.call.LocalTool;
import dev.skein.tools.call.Refused;
import dev.skein.tools.call.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Notes that a model keeps for other sessions: one tool that looks, and one that changes them and so needs a yes.
public final class MemoryTools {

    private static final int HITS_MAX = 50;
    private static final int LINE_MAX = 200;

    private final Notes notes;

    private MemoryTools(Notes notes) {
        this.notes = notes;
    }

    public static List<Tool> in(Path directory) {
        var memory = new MemoryTools(new Notes(directory));
        return List.of(
                new LocalTool(
                        new ToolSpec(
                                "memory",
                                "Looks into notes that were kept in earlier conversations: list says which there are,"
                                        + " read shows one, search finds lines in all of them.",
                                Schema.requiring("action")
                                        .choice("action", "What to do.", List.of("list", "read", "search"))
                                        .text("name", "For read: the name of the note.")
                                        .text("text", "For search: a text that the lines hold, in any case.")
                                        .json(),
                                ToolSpec.Repeat.SAFE,
                                ToolSpec.Effect.READS),
                        (arguments, _, _) -> ToolOutcome.Answered.text(memory.look(arguments))),
                new LocalTool(
                        new ToolSpec(
                                "remember",
                                "Keeps notes for later conversations: add puts a text at the end of a note, made if"
                                        + " need be, replace writes it anew, forget takes it away.",
                                Schema.requiring("action", "name")
                                        .choice("action", "What to do.", List.of("add", "replace", "forget"))
                                        .text("name", "The name of the note: small letters, digits and '-'.")
                                        .text("text", "For add and replace: what to remember.")
                                        .json(),
                                ToolSpec.Repeat.UNSAFE,
                                ToolSpec.Effect.ACTS),
                        (arguments, _, _) -> ToolOutcome.Answered.text(memory.change(arguments))));
    }

    private String look(Arguments arguments) throws IOException {
        return switch (arguments.text("action")) {
            case "list" -> list();
            case "read" -> {
                var name = arguments.text("name");
                yield notes.find(name).orElseThrow(() -> missing(name));
            }
            case "search" -> search(arguments.text("text"));
            case String other -> throw new Refused("there is no action '" + other + "'; use list, read or search");
        };
    }

    private String list() throws IOException {
        var lines = new ArrayList<String>();
        for (var name : notes.names()) {
            var first =
                    notes.find(name).flatMap(text -> text.lines().findFirst()).orElse("");
            lines.add(name + ": " + cut(first));
        }
        return lines.isEmpty() ? "there are no notes yet" : String.join("\n", lines);
    }

    private String search(String text) throws IOException {
        var wanted = text.toLowerCase(Locale.ROOT);
        var hits = new ArrayList<String>();
        for (var name : notes.names()) {
            notes.find(name).stream()
                    .flatMap(String::lines)
                    .filter(line -> line.toLowerCase(Locale.ROOT).contains(wanted))
                    .limit(HITS_MAX - hits.size())
                    .forEach(line -> hits.add(name + ": " + cut(line)));
        }
        return hits.isEmpty() ? "no note holds '" + text + "'" : String.join("\n", hits);
    }

    private static String cut(String line) {
        return line.length() <= LINE_MAX ? line : line.substring(0, LINE_MAX) + "…";
    }

    private String change(Arguments arguments) throws IOException {
        var name = arguments.text("name");
        switch (arguments.text("action")) {
            case "add" -> {
                var text = arguments.text("text").strip();
                notes.change(
                        name,
                        before -> before.map(old -> old.stripTrailing() + "\n").orElse("") + text + "\n");
            }
            case "replace" -> {
                var text = arguments.text("text").strip();
                notes.change(name, _ -> text + "\n");
            }
            case "forget" -> {
                if (notes.find(name).isEmpty()) {
                    throw missing(name);
                }
                notes.change(name, _ -> "");
                return "the note '" + name + "' is gone";
            }
            case String other -> throw new Refused("there is no action '" + other + "'; use add, replace or forget");
        }
        return "kept in the note '" + name + "'";
    }

    private static Refused missing(String name) {
        return new Refused("there is no note '" + name + "'; list shows which there are");
    }
}
