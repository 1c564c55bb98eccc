package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.Failures;
import dev.skein.failure.FailureKind;
import dev.skein.failure.SkeinException;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// The documents say what the program does.
class DocsTest {

    private static final Path DOCS = docs();
    private static final Pattern ROW = Pattern.compile("\\| `([a-z_.]+)` \\| ([a-z_]+) \\| ([0-9]+) \\|.+\\|.+\\|");
    private static final Pattern EXIT_ROW = Pattern.compile("\\| ([0-9]+) \\| ([a-z_]+) \\|.+\\|");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

    @TempDir
    Path home;

    @Test
    void every_error_code_is_explained_with_its_kind_and_exit_code_and_no_other() throws Exception {
        var documented = new TreeMap<String, String>();
        for (var line : Files.readAllLines(DOCS.resolve("errors.md"))) {
            var row = ROW.matcher(line);
            if (row.matches()) {
                documented.put(row.group(1), row.group(2) + " " + row.group(3));
            }
        }

        assertThat(documented).isEqualTo(raised());
    }

    @Test
    void every_exit_code_is_in_the_table_and_no_other() throws IOException {
        var documented = new TreeMap<Integer, String>();
        for (var line : Files.readAllLines(DOCS.resolve("cli.md"))) {
            var row = EXIT_ROW.matcher(line);
            if (row.matches()) {
                documented.put(Integer.parseInt(row.group(1)), row.group(2));
            }
        }

        var known = new TreeMap<Integer, String>();
        for (var code : ExitCode.values()) {
            known.put(code.number(), code.name().toLowerCase(java.util.Locale.ROOT));
        }
        assertThat(documented).isEqualTo(known);
    }

    @Test
    void every_kind_of_failure_has_an_exit_code_of_its_own() {
        assertThat(Arrays.stream(FailureKind.values()).map(ExitCode::of)).doesNotHaveDuplicates();
    }

    /// Each line runs in a home with the sessions that the page promises.
    @TestFactory
    Stream<DynamicTest> every_example_of_the_command_line_runs() throws IOException {
        return Files.readAllLines(DOCS.resolve("cli.md")).stream()
                .filter(line -> line.startsWith("$ skein"))
                .map(line -> DynamicTest.dynamicTest(line, () -> {
                    var cli = new Cli(Files.createTempDirectory(home, "example"));
                    cli.having("deploy", "Deploy the web shop", "Done: the web shop is live.");
                    cli.having("ideas", "Give me three ideas", "Apples, pears, plums.");
                    cli.having(new dev.skein.session.Scope("local", "coder"), "refactor", "Tidy up", "Done.");
                    Files.writeString(
                            Files.createDirectories(cli.home.resolve("agents/coder"))
                                    .resolve("config.yaml"),
                            "variables: [{name: language}]\n");
                    Files.writeString(
                            Files.createDirectories(cli.home.resolve("schedules"))
                                    .resolve("news.yaml"),
                            "cron: '@daily'\nprompt: What is new?\n");

                    var ran = cli.run(words(line, cli));

                    assertThat(ran.err()).doesNotContain("skein:");
                    assertThat(ran.code()).isZero();
                }));
    }

    private static String[] words(String line, Cli cli) {
        var words = new ArrayList<String>();
        var matcher = WORD.matcher(line.substring("$ skein".length()).replaceAll("\\s+#.*$", ""));
        while (matcher.find()) {
            var quoted = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
            words.add(quoted != null ? quoted : matcher.group(3));
        }
        // Examples write into the directory they run in.
        var output = words.indexOf("-o");
        if (output >= 0) {
            words.set(output + 1, cli.home.resolve(words.get(output + 1)).toString());
        }
        return words.toArray(String[]::new);
    }

    /// Every code that can be raised, with its kind and exit code, found by raising every failure there is.
    private static Map<String, String> raised() throws ReflectiveOperationException {
        var raised = new TreeMap<String, String>();
        for (var type : SkeinException.class.getPermittedSubclasses()) {
            for (var maker : makers(type)) {
                var failure = (SkeinException) make(maker);
                raised.put(failure.code(), row(failure.kind()));
            }
        }
        for (var maker : makers(CommandFailure.class)) {
            var failure = (CommandFailure) make(maker);
            raised.put(failure.code(), row(failure.kind()));
        }
        raised.put(Failures.UNEXPECTED, "defect " + ExitCode.UNEXPECTED.number());
        return raised;
    }

    private static String row(FailureKind kind) {
        return kind + " " + ExitCode.of(kind).number();
    }

    private static List<Executable> makers(Class<?> type) {
        return Stream.<Executable>concat(
                        Arrays.stream(type.getConstructors()),
                        Arrays.stream(type.getMethods())
                                .filter(method ->
                                        Modifier.isStatic(method.getModifiers()) && method.getReturnType() == type))
                .toList();
    }

    private static Object make(Executable maker) throws ReflectiveOperationException {
        var arguments =
                Arrays.stream(maker.getParameterTypes()).map(DocsTest::sample).toArray();
        return maker instanceof Method factory
                ? factory.invoke(null, arguments)
                : ((java.lang.reflect.Constructor<?>) maker).newInstance(arguments);
    }

    private static Object sample(Class<?> type) {
        if (type == int.class) {
            return 1;
        }
        if (type == long.class) {
            return 1L;
        }
        if (type == Duration.class) {
            return Duration.ofSeconds(1);
        }
        if (type == List.class) {
            return List.of("sample");
        }
        return Throwable.class.isAssignableFrom(type) ? new IOException("sample") : "sample";
    }

    private static Path docs() {
        var here = Path.of("").toAbsolutePath();
        return Files.isDirectory(here.resolve("docs")) ? here.resolve("docs") : here.resolveSibling("docs");
    }
}
