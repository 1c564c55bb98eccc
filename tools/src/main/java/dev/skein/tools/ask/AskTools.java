package dev.skein.tools.ask;

import dev.skein.message.Part;
import dev.skein.tool.Question;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Arguments;
import dev.skein.tools.call.Refused;
import dev.skein.tools.call.Schema;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The tools by which a model asks a person. They look at nothing and change nothing; the answer is what counts.
///
/// An option is answered by its number, from 1 on, or by its words, in capitals or not.
public final class AskTools {

    private static final int OPTIONS_MAX = 50;
    private static final int ANSWER_CHARS_MAX = 100_000;
    private static final Set<String> YES = Set.of("yes", "y", "true", "1");
    private static final Set<String> NO = Set.of("no", "n", "false", "0");

    private AskTools() {}

    public static List<Tool> all() {
        return List.of(
                new Asked(
                        spec(
                                "ask_select",
                                "Asks the person to pick one of several options.",
                                Schema.requiring("question", "options")
                                        .text("question", "What to ask.")
                                        .texts("options", "What can be picked.")),
                        AskTools::selected),
                new Asked(
                        spec(
                                "ask_confirm",
                                "Asks the person a question that yes or no answers.",
                                Schema.requiring("question").text("question", "What to ask.")),
                        AskTools::confirmed),
                new Asked(
                        spec(
                                "ask_input",
                                "Asks the person for some text.",
                                Schema.requiring("question")
                                        .text("question", "What to ask.")
                                        .text("default", "What an empty answer means.")),
                        AskTools::typed),
                new Asked(
                        spec(
                                "ask_checkbox",
                                "Asks the person to pick any number of several options, also none.",
                                Schema.requiring("question", "options")
                                        .text("question", "What to ask.")
                                        .texts("options", "What can be picked.")),
                        AskTools::checked));
    }

    /// Turns a person's answer into what the model gets.
    private interface Reading {
        JsonNode read(Arguments asked, String answer);
    }

    private record Asked(ToolSpec spec, Reading reading) implements Question {

        @Override
        public ToolOutcome answered(Part.ToolCall call, String answer) {
            try {
                if (answer.length() > ANSWER_CHARS_MAX) {
                    throw new Refused("the answer is longer than " + ANSWER_CHARS_MAX + " characters; shorten it");
                }
                var value = reading.read(new Arguments(call.arguments()), answer.strip());
                var text = value.isString() ? value.stringValue() : value.toString();
                return new ToolOutcome.Answered(
                        List.of(new Part.Text(text)),
                        JsonNodeFactory.instance.objectNode().set("answer", value),
                        null);
            } catch (Refused e) {
                return ToolOutcome.Failed.because(e);
            }
        }
    }

    private static ToolSpec spec(String name, String description, Schema schema) {
        return new ToolSpec(name, description, schema.json(), ToolSpec.Repeat.SAFE, ToolSpec.Effect.READS);
    }

    private static JsonNode selected(Arguments asked, String answer) {
        return JsonNodeFactory.instance.stringNode(option(options(asked), answer));
    }

    private static JsonNode confirmed(Arguments asked, String answer) {
        var word = answer.toLowerCase(Locale.ROOT);
        if (!YES.contains(word) && !NO.contains(word)) {
            throw new Refused("'" + shown(answer) + "' is neither yes nor no; answer yes or no");
        }
        return JsonNodeFactory.instance.booleanNode(YES.contains(word));
    }

    private static JsonNode typed(Arguments asked, String answer) {
        return JsonNodeFactory.instance.stringNode(
                answer.isEmpty() ? asked.optionalText("default").orElse("") : answer);
    }

    private static JsonNode checked(Arguments asked, String answer) {
        var options = options(asked);
        var picked = new LinkedHashSet<String>();
        if (options.stream().anyMatch(option -> option.equalsIgnoreCase(answer))) {
            picked.add(option(options, answer));
        } else if (!answer.isEmpty() && !answer.equalsIgnoreCase("none")) {
            for (var piece : answer.split("[,\\n]")) {
                picked.add(option(options, piece.strip()));
            }
        }
        var array = JsonNodeFactory.instance.arrayNode();
        options.stream().filter(picked::contains).forEach(array::add);
        return array;
    }

    private static List<String> options(Arguments asked) {
        var options = asked.texts("options");
        if (options.isEmpty() || options.size() > OPTIONS_MAX) {
            throw new Refused("there are " + options.size() + " options; ask with 1 to " + OPTIONS_MAX);
        }
        return options;
    }

    /// Words come before numbers, since an option may be a number itself.
    private static String option(List<String> options, String answer) {
        return options.stream()
                .filter(option -> option.strip().equalsIgnoreCase(answer))
                .findFirst()
                .or(() -> IntStream.range(0, options.size())
                        .filter(i -> String.valueOf(i + 1).equals(answer))
                        .mapToObj(options::get)
                        .findFirst())
                .orElseThrow(() -> new Refused("'" + shown(answer) + "' is none of the options; answer with a number"
                        + " from 1 to " + options.size() + " or with the words of one of " + options));
    }

    private static String shown(String answer) {
        return answer.length() <= 80 ? answer : answer.substring(0, 80) + "…";
    }
}
