package dev.skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What the documents name is really there.
class DocsTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z]+(?:Test|Contract))\\.([a-z][a-z0-9_]+)`");
    private static final Pattern INVARIANT =
            Pattern.compile("(?m)^([0-9]+)\\. .+?(?=^[0-9]+\\. |^#|\\z)", Pattern.DOTALL);
    private static final Pattern TYPE = Pattern.compile("^\\{\"type\":\"([a-z_]+)\"");

    @Test
    void every_test_that_an_invariant_or_attack_names_exists() throws IOException {
        var sources = testSources();
        var missing = new TreeSet<String>();
        var named = TEST.matcher(Files.readString(ROOT.resolve("docs/invariants.md"))
                + Files.readString(ROOT.resolve("docs/security.md")));
        while (named.find()) {
            if (!sources.getOrDefault(named.group(1), "").contains("void " + named.group(2) + "(")) {
                missing.add(named.group(1) + "." + named.group(2));
            }
        }

        assertThat(missing)
                .as("tests that docs/invariants.md or docs/security.md names and nobody has")
                .isEmpty();
    }

    @Test
    void every_invariant_names_a_test() throws IOException {
        var invariants = INVARIANT
                .matcher(Files.readString(ROOT.resolve("docs/invariants.md")))
                .results()
                .map(result -> result.group())
                .toList();

        assertThat(invariants)
                .hasSizeGreaterThan(15)
                .allMatch(text -> TEST.matcher(text).find());
    }

    @Test
    void every_contract_is_run_against_every_store() throws IOException {
        var sources = testSources();
        var contracts = sources.keySet().stream()
                .filter(name -> name.endsWith("Contract"))
                .filter(name -> sources.get(name).contains("package dev.skein.testkit;"))
                .filter(name -> sources.get(name).contains("public abstract class " + name))
                .toList();

        assertThat(contracts).hasSizeGreaterThan(5);
        for (var store : List.of(
                "FileSessionStoreTest",
                "MemorySessionStoreTest",
                "SqliteSessionStoreTest",
                "PostgresSessionStoreTest")) {
            assertThat(contracts)
                    .as("contracts that " + store + " extends")
                    .allMatch(name -> sources.getOrDefault(store, "").contains(" extends " + name + " "));
        }
    }

    /// The examples of the specification are the fixtures, so that they are both true and kept.
    @Test
    void the_specification_shows_events_that_are_really_written_and_every_type_of_them() throws IOException {
        var shown = Files.readAllLines(ROOT.resolve("docs/session-format.md")).stream()
                .filter(line -> line.startsWith("{\"type\":\""))
                .toList();
        var written = fixtures();

        assertThat(written).containsAll(shown);
        assertThat(types(shown)).isEqualTo(types(written));
    }

    private static Set<String> types(List<String> lines) {
        return lines.stream()
                .flatMap(line -> TYPE.matcher(line).results().map(result -> result.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> fixtures() throws IOException {
        try (var files = Files.list(ROOT.resolve("api/src/test/resources/format/v1"))) {
            return files.flatMap(DocsTest::lines).toList();
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /// The text of every test and contract, by the name of its class.
    private static Map<String, String> testSources() throws IOException {
        var sources = new HashMap<String, String>();
        try (var files = Files.walk(ROOT)) {
            var tests = files.filter(file -> file.toString().matches(".*/src/.*(Test|Contract)\\.java"))
                    .toList();
            for (var file : tests) {
                sources.merge(
                        file.getFileName().toString().replace(".java", ""), Files.readString(file), String::concat);
            }
        }
        return sources;
    }
}
