package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.testkit.provider.OpenAiWire;
import dev.skein.testkit.provider.ProviderServer;
import dev.skein.wire.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `skein --schema FILE "prompt"`
class SchemaTest {

    @TempDir
    Path home;

    private ProviderServer server;
    private Cli cli;
    private String schema;

    @BeforeEach
    void start() throws IOException {
        server = ProviderServer.speaking(new OpenAiWire());
        cli = new Cli(home);
        cli.env.put("OPENAI_API_KEY", "sk-canary-2718281828459045");
        cli.env.put("OPENAI_BASE_URL", server.baseUrl().toString());
        schema = Files.writeString(home.resolve("fruit.schema.json"), """
                        {"type": "object", "properties": {"price": {"type": "number"}}, "required": ["price"]}
                        """).toString();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void nothing_but_the_json_is_on_standard_output() {
        server.script(
                Answer.calls(new Step.Say("Let me look."), new Step.Call("c", "list", "{\"path\":\".\"}")),
                Answer.says("It costs 3."),
                Answer.says("```json\n{ \"price\": 3.50 }\n```"));

        var ran = cli.run("-m", "openai:test", "--schema", schema, "What does it cost?");

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).isEqualTo("{\"price\":3.50}\n");
        assertThat(ran.err()).contains("> list", "asking again");
        assertThat(server.requests()
                        .getFirst()
                        .body()
                        .path("response_format")
                        .path("json_schema")
                        .path("name"))
                .hasToString("\"fruit\"");
    }

    @Test
    void a_run_that_goes_on_prints_the_json_it_was_to_answer_with() {
        server.script(
                Answer.says("no"),
                Answer.says("no"),
                Answer.says("no"),
                Answer.says("```json\n{ \"price\": 3.50 }\n```"));
        cli.run("-m", "openai:test", "--schema", schema, "What does it cost?");

        var further = cli.run("-m", "openai:test", "-c");

        assertThat(further.code()).as(further.err()).isZero();
        assertThat(further.out()).isEqualTo("{\"price\":3.50}\n");
    }

    @Test
    void a_run_that_a_person_allowed_prints_the_json_too_and_one_without_a_shape_its_words() {
        var call = Answer.calls(new Step.Call("c", "shell", "{\"command\":\"true\"}"));
        server.script(call, call, Answer.says("{ \"price\": 1 }"), Answer.says("Done."));
        cli.run("-m", "openai:test", "-s", "shaped", "--schema", schema, "What does it cost?");
        cli.run("-m", "openai:test", "-s", "plain", "What does it cost?");

        assertThat(cli.session("approve", "shaped").out()).isEqualTo("{\"price\":1}\n");
        cli.session("approve", "plain", "--no-run");
        assertThat(cli.run("-s", "plain", "--schema", schema).out()).isEqualTo("Done.\n");
    }

    @Test
    void the_last_event_has_the_value() {
        server.script(Answer.says("{\"price\":4}"));

        var lines = cli.run("-m", "openai:test", "--json", "--schema", schema, "What does it cost?")
                .out()
                .lines()
                .map(Json.MAPPER::readTree)
                .filter(line -> line.path("event").asString("").equals("finished"))
                .toList();

        assertThat(lines).hasSize(1);
        assertThat(lines.getFirst().path("structured_output")).hasToString("{\"price\":4}");
    }

    @Test
    void a_model_that_will_not_is_a_failure_of_the_provider() {
        server.script(Answer.says("no"), Answer.says("no"), Answer.says("no"));

        var ran = cli.run("-m", "openai:test", "--schema", schema, "What does it cost?");

        assertThat(ran.code()).isEqualTo(11);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("gave 3 answers", "it is not JSON");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"type": "thing"}              | /type
                    {"$ref": "file:///etc/passwd"} | nothing is fetched
                    no                             | is not JSON
                    []                             | a schema is an object
                    """)
    void a_broken_schema_is_refused_before_anything_is_kept(String text, String why) throws IOException {
        Files.writeString(Path.of(schema), text);

        var ran = cli.run("--schema", schema, "What does it cost?");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("fruit.schema.json", why);
        assertThat(cli.session("list", "--json").out()).contains("\"sessions\":[]");
    }

    @Test
    void what_makes_no_sense_is_refused() {
        assertThat(cli.run("--schema", "nowhere.json", "x").err()).contains("there is no file 'nowhere.json'");
        assertThat(cli.run("--schema", schema, "--code", "x").err()).contains("exclude each other");
        assertThat(cli.run("--schema", home.toString(), "x").err()).contains("is a directory");
        assertThat(cli.run("--schema", "-", "x").err()).contains("name a file");
        var nothing = cli.onTerminal().run("-m", "openai:test", "--schema", schema);
        assertThat(nothing.code()).isEqualTo(2);
        assertThat(nothing.err()).contains("there is nothing to say");
    }

    @Test
    void a_model_that_speaks_no_language_is_refused_before_anything_is_kept() {
        var ran = cli.run("-m", "offline:skein", "--schema", schema, "What does it cost?");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("offline:skein is none", "-m");
        assertThat(cli.session("list", "--json").out()).contains("\"sessions\":[]");
        cli.run("-m", "offline:skein", "-s", "here", "hello");
        assertThat(cli.run("-s", "here", "--schema", schema, "What does it cost?")
                        .err())
                .contains("offline:skein is none");
    }

    @Test
    void a_schema_may_come_out_of_a_pipe() throws Exception {
        var pipe = home.resolve("piped.json");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        server.script(Answer.says("{\"price\":4}"));
        var writer = CompletableFuture.runAsync(() -> {
            try (var out = Files.newOutputStream(pipe, StandardOpenOption.WRITE)) {
                Files.copy(Path.of(schema), out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        assertThat(cli.run("-m", "openai:test", "--schema", pipe.toString(), "What does it cost?")
                        .out())
                .isEqualTo("{\"price\":4}\n");
        writer.join();
    }

    @Test
    void a_dry_run_shows_what_the_model_is_told() {
        var told = cli.run("--dry-run", "-m", "offline:skein", "--schema", schema, "x")
                .out();
        var sent = cli.run("--dry-run", "-m", "openai:test", "--schema", schema, "x")
                .out();

        assertThat(Json.MAPPER.readTree(told).path("system").asString()).contains("JSON Schema", "\"price\"");
        assertThat(Json.MAPPER.readTree(sent).path("shape").path("name").asString())
                .isEqualTo("fruit");
    }
}
