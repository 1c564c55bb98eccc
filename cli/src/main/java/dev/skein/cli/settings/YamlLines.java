package dev.skein.cli.settings;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// The text of a settings file, and on which line of it each value stands.
///
/// If the text is no YAML, what can be understood of it is taken: each setting with what is indented below it is read
/// by itself. Not safe for use by several threads.
final class YamlLines {

    /// A line with which something new begins: it is not indented, and neither a comment nor an end.
    private static final Pattern BEGINNING = Pattern.compile("[^\\s#\\]}-].*");

    private static final YAMLFactory TOKENS = new YAMLFactory();

    private final Path file;
    private final String text;
    private final Map<String, Integer> lines = new HashMap<>();

    YamlLines(Path file, String text) {
        this.file = file;
        this.text = text;
    }

    /// Where a value stands: `config.yaml, line 3: limits.turns`. Its path has a slash before each name.
    String place(String path) {
        var name = path.substring(1).replace('/', '.');
        var line = lines.get(path);
        return line == null ? file + ": " + name : file + ", line " + line + ": " + name;
    }

    boolean isBlank() {
        return text.isBlank();
    }

    /// All settings that can be read. What is wrong with the others is added to the problems.
    JsonNode tree(YAMLMapper yaml, List<String> problems) {
        try {
            return settings(yaml, text, 1);
        } catch (JacksonException _) {
            return piecewise(yaml, problems);
        } catch (NotSettings _) {
            problems.add(file + ", line 1: settings are written as 'name: value', one a line");
            return MissingNode.getInstance();
        }
    }

    /// A text that is YAML, and no settings.
    private static final class NotSettings extends Exception {}

    private JsonNode settings(YAMLMapper yaml, String piece, int firstLine) throws NotSettings {
        var tree = yaml.readTree(piece);
        if (!tree.isObject() && !tree.isMissingNode() && !tree.isNull()) {
            throw new NotSettings();
        }
        note(piece, firstLine);
        return tree;
    }

    private JsonNode piecewise(YAMLMapper yaml, List<String> problems) {
        ObjectNode all = yaml.createObjectNode();
        for (var piece : pieces()) {
            try {
                settings(yaml, piece.text(), piece.firstLine())
                        .properties()
                        .forEach(property -> all.set(property.getKey(), property.getValue()));
            } catch (JacksonException e) {
                problems.add("%s, line %d: %s"
                        .formatted(
                                file,
                                piece.firstLine() + Math.max(0, e.getLocation().getLineNr() - 1),
                                complaint(e)));
            } catch (NotSettings _) {
                problems.add("%s, line %d: settings are written as 'name: value', one a line"
                        .formatted(file, piece.firstLine()));
            }
        }
        return all;
    }

    /// What the parser says, without the places it says it of.
    private static String complaint(JacksonException e) {
        return e.getOriginalMessage()
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith(" "))
                .collect(Collectors.joining("; "));
    }

    private record Piece(int firstLine, String text) {}

    private List<Piece> pieces() {
        var pieces = new ArrayList<Piece>();
        var all = text.lines().toList();
        var from = 0;
        for (int i = 1; i <= all.size(); i++) {
            if (i == all.size() || BEGINNING.matcher(all.get(i)).matches()) {
                pieces.add(new Piece(from + 1, String.join("\n", all.subList(from, i)) + "\n"));
                from = i;
            }
        }
        return pieces;
    }

    /// Takes down where everything stands.
    private void note(String piece, int firstLine) {
        try (var tokens = TOKENS.createParser(tools.jackson.core.ObjectReadContext.empty(), piece)) {
            for (var token = tokens.nextToken(); token != null; token = tokens.nextToken()) {
                if (token != JsonToken.END_OBJECT && token != JsonToken.END_ARRAY) {
                    var path = tokens.streamReadContext().pathAsPointer().toString();
                    lines.putIfAbsent(
                            path, firstLine + tokens.currentTokenLocation().getLineNr() - 1);
                }
            }
        }
    }
}
