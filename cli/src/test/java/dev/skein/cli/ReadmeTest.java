package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The session that `README.md` shows is what the program says, but for ids and times.
@Tag("docs")
class ReadmeTest {

    private static final String PROMPT = "$ bin/skein ";
    private static final Pattern CONSOLE = Pattern.compile("```console\n(.+?)```", Pattern.DOTALL);
    private static final Pattern CHANCE =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?|just now|[0-9]+ s ago");

    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

    @TempDir
    Path home;

    @Test
    void every_command_says_what_the_readme_shows() throws IOException {
        var root = Path.of("").toAbsolutePath().getParent();
        var console = CONSOLE.matcher(Files.readString(root.resolve("README.md")));
        assertThat(console.find()).isTrue();
        var shown = console.group(1).lines().filter(line -> !isOfTheShell(line)).toList();
        Files.createDirectories(home.resolve("sessions"));
        Files.copy(root.resolve("docs/examples/sessions/shop.yaml"), home.resolve("sessions/shop.yaml"));

        var said = new ArrayList<String>();
        for (var line : shown) {
            if (line.startsWith(PROMPT)) {
                said.add(line);
                new Cli(home)
                        .merged(words(line.substring(PROMPT.length())))
                        .lines()
                        .forEach(said::add);
            }
        }

        assertThat(timeless(said)).isEqualTo(timeless(shown)).hasSizeGreaterThan(10);
    }

    /// Words as a shell would take them, quotes included.
    private static String[] words(String line) {
        return WORD.matcher(line)
                .results()
                .map(word -> Stream.of(word.group(1), word.group(2), word.group(3))
                        .filter(text -> text != null)
                        .findFirst()
                        .orElseThrow())
                .toArray(String[]::new);
    }

    private static boolean isOfTheShell(String line) {
        return line.startsWith("$ ") && !line.startsWith(PROMPT);
    }

    /// Columns move with the length of a time, so runs of spaces count as one.
    private static List<String> timeless(List<String> lines) {
        return lines.stream()
                .map(line -> CHANCE.matcher(line)
                        .replaceAll("…")
                        .replaceAll(" +", " ")
                        .strip())
                .toList();
    }
}
