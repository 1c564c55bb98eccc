package dev.skein.tools.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScriptToolsTest {

    private static final String SCHEMA = """
            {"name": "%s", "description": "For tests.", "parameters": {"type": "object"}%s}
            """;

    @TempDir
    Path directory;

    private Path functions;
    private Path workspace;

    @BeforeEach
    void build() throws IOException {
        functions = Files.createDirectory(directory.resolve("functions"));
        workspace = Files.createDirectory(directory.resolve("work"));
    }

    @Test
    void a_program_with_a_schema_is_a_tool() throws Exception {
        script("shout", "tr a-z A-Z; pwd", ", \"repeat\": \"safe\", \"effect\": \"reads\"");

        var loaded = load();

        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.tools()).singleElement().satisfies(tool -> {
            assertThat(tool.spec().repeat()).isEqualTo(ToolSpec.Repeat.SAFE);
            assertThat(tool.spec().effect()).isEqualTo(ToolSpec.Effect.READS);
        });
        assertThat(Calls.words(loaded.tools(), "shout", "text", "$(id) `x` \u00fc; rm"))
                .isEqualTo("{\"TEXT\":\"$(ID) `X` \u00fc; RM\"}" + workspace.toRealPath() + "\n");
    }

    @Test
    void what_it_does_not_say_is_taken_for_the_worst() throws Exception {
        script("plain", "echo ok", "");

        var spec = load().tools().getFirst().spec();

        assertThat(spec.repeat()).isEqualTo(ToolSpec.Repeat.UNSAFE);
        assertThat(spec.effect()).isEqualTo(ToolSpec.Effect.ACTS);
    }

    @Test
    void a_failure_gives_its_code_and_its_last_words() throws Exception {
        script("fail", "echo out; yes error | head -n 5000 >&2; echo last >&2; exit 9", "");

        assertThat(Calls.words(load().tools(), "fail"))
                .startsWith("failed: exit code 9: ")
                .endsWith("last\n")
                .hasSizeLessThan(2100);
    }

    @Test
    void one_that_takes_too_long_or_does_not_read_is_no_trouble() throws Exception {
        script("slow", "sleep 100", "");
        script("deaf", "exec 0<&-; echo fine", "");

        assertThat(Calls.run(load(Duration.ofSeconds(1)).tools(), "slow"))
                .isEqualTo(new ToolOutcome.TimedOut(Duration.ofSeconds(1)));
        assertThat(Calls.words(load().tools(), "deaf", "text", "x".repeat(1_000_000)))
                .isEqualTo("fine\n");
    }

    @Test
    void broken_ones_are_reported_and_good_ones_load() throws Exception {
        script("good", "echo ok", "");
        script("odd", "echo ok", ", \"effect\": \"magic\"");
        Files.writeString(functions.resolve("alone"), "#!/bin/sh\n");
        Files.writeString(functions.resolve("orphan.json"), SCHEMA.formatted("orphan", ""));
        script("nojson", "echo", "");
        Files.writeString(functions.resolve("nojson.json"), "{not json");
        script("noname", "echo", "");
        Files.writeString(functions.resolve("noname.json"), "{\"parameters\":{\"type\":\"object\"}}");
        script("noparameters", "echo", "");
        Files.writeString(functions.resolve("noparameters.json"), "{\"name\":\"a\",\"description\":\"b\"}");
        script("strange", "echo", "");
        Files.writeString(functions.resolve("strange.json"), SCHEMA.formatted("a b", ""));
        script("twin", "echo", "");
        Files.writeString(functions.resolve("twin.json"), SCHEMA.formatted("good", ""));
        script("unexecutable", "echo", "");
        Files.setPosixFilePermissions(functions.resolve("unexecutable"), PosixFilePermissions.fromString("rw-r--r--"));

        var loaded = load();

        assertThat(loaded.tools()).extracting(tool -> tool.spec().name()).containsExactly("good");
        assertThat(loaded.problems())
                .extracting(problem -> problem.file().getFileName() + ": "
                        + problem.reason().lines().findFirst().orElse("").replaceAll("JSON: .*", "JSON: ..."))
                .containsExactly(
                        "alone: has no schema; put alone.json beside it",
                        "nojson.json: is not JSON: ...",
                        "noname.json: has no name; give it a text",
                        "noparameters.json: has no parameters; give a JSON schema of type object",
                        "odd.json: its effect is \"magic\"; it can be [reads, acts]",
                        "orphan.json: has no program; put orphan beside it",
                        "strange.json: the name 'a b' is not made of letters, digits, _ and -",
                        "twin.json: the name 'good' is taken by good.json",
                        "unexecutable.json: its program is not executable; run chmod +x on it");
    }

    @Test
    void without_a_directory_there_are_no_tools() throws IOException {
        Files.delete(functions);

        assertThat(load()).isEqualTo(new ScriptTools(java.util.List.of(), java.util.List.of()));
    }

    private ScriptTools load() {
        return load(Duration.ofSeconds(60));
    }

    private ScriptTools load(Duration timeout) {
        var environment = ChildEnvironment.of(Map.of("PATH", System.getenv("PATH")), Set.of());
        return ScriptTools.in(functions, new ScriptTools.Terms(workspace, environment, timeout, 100_000));
    }

    private void script(String name, String body, String more) throws IOException {
        var program = Files.writeString(functions.resolve(name), "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(functions.resolve(name + ".json"), SCHEMA.formatted(name, more));
    }
}
