package dev.skein.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.testkit.provider.OpenAiWire;
import dev.skein.testkit.provider.ProviderServer;
import dev.skein.wire.Json;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// Secrets are let in wherever they can come in, and looked for wherever they could come out: in every file below home,
/// in what the program prints, in exports, in logs of every level, and in what is sent to the provider.
class SecretCanariesTest {

    private static final String LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

    /// How keys begin that are known by their shape, and how long they go on.
    private static final Map<String, Integer> SHAPES = Map.ofEntries(
            Map.entry("sk-ant-api03-", 90),
            Map.entry("sk-proj-", 60),
            Map.entry("sk-or-v1-", 60),
            Map.entry("AIza", 35),
            Map.entry("ya29.", 60),
            Map.entry("ghp_", 36),
            Map.entry("gho_", 36),
            Map.entry("github_pat_", 60),
            Map.entry("glpat-", 24),
            Map.entry("xoxb-", 30),
            Map.entry("sk_live_", 24),
            Map.entry("whsec_", 32),
            Map.entry("npm_", 36),
            Map.entry("pypi-", 60),
            Map.entry("hf_", 34),
            Map.entry("gsk_", 50),
            Map.entry("xai-", 60),
            Map.entry("pplx-", 48),
            Map.entry("r8_", 37),
            Map.entry("dckr_pat_", 27),
            Map.entry("hvs.", 40),
            Map.entry("lin_api_", 40),
            Map.entry("Authorization: Bearer ", 40),
            Map.entry("DB_PASSWORD=", 20),
            Map.entry("https://user:", 20));

    @TempDir
    Path home;

    @TempDir
    Path elsewhere;

    private final Random random = new Random(1);
    private final Map<String, String> registered = new LinkedHashMap<>();
    private final List<String> shapes = new ArrayList<>();
    private final StringBuilder printed = new StringBuilder();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level level = root.getLevel();

    @BeforeEach
    void listen() {
        logged.start();
        root.addAppender(logged);
        root.setLevel(Level.TRACE);
        for (int i = 0; i < 20; i++) {
            registered.put("CANARY_" + i + "_TOKEN", some(8 + i));
        }
        registered.put("OPENAI_API_KEY", "sk-" + some(40));
        registered.put("QUOTED_SECRET", some(6) + "\"quoted\\" + some(6));
        registered.put("SPACED_PASSWORD", some(6) + " with spaces " + some(6));
        registered.put("URL_SECRET", some(6) + "+/=&?" + some(6));
        registered.put("FOREIGN_PASSWORD", "größe-" + some(8));
        SHAPES.forEach((prefix, length) -> shapes.add(some(length)));
    }

    @AfterEach
    void listenNoMore() {
        root.setLevel(level);
        root.detachAppender(logged);
    }

    @Test
    void no_registered_secret_comes_out_anywhere_and_no_shape_of_one_in_a_result() throws IOException {
        var all = String.join(" ; ", registered.values());
        var prints = elsewhere.resolve("prints");
        Files.writeString(prints, all + "\n" + shapesAsPrinted() + "\n");
        var inBase64 = registered.values().stream()
                .map(value -> Base64.getEncoder().encodeToString(value.getBytes(UTF_8)))
                .collect(Collectors.joining(" "));
        var command = "cat " + prints + "; cat " + prints + " >&2; printenv; echo '" + inBase64 + "'; : "
                + registered.get("CANARY_3_TOKEN") + "; exit 3";
        var cli = cli();
        try (var server = ProviderServer.speaking(new OpenAiWire())) {
            cli.env.put("OPENAI_BASE_URL", server.baseUrl().toString());
            var spoken = pieces("You said " + all + ".");
            spoken.add(new Step.Think("They told me " + all, ""));
            spoken.add(new Step.Call(
                    "c1",
                    "shell",
                    Json.MAPPER.createObjectNode().put("command", command).toString()));
            server.script(
                    Answer.calls(spoken.toArray(Step[]::new)),
                    Answer.reply(pieces("It printed " + all).toArray(Step[]::new)));
            print(cli.run("-s", "canaries", "-m", "openai:test", "--json", "My secrets: " + all), 0);
            assertThat(printed).contains("[REDACTED:CANARY_3_TOKEN]", "exit code 3", "PATH=");
            assertThat(printed).as("a child sees what was allowed and no more").doesNotContain("CANARY_5_TOKEN=");

            var error = Json.MAPPER.createObjectNode();
            error.putObject("error").put("message", "wrong: " + all + " " + shapesAsPrinted());
            server.script(Answer.status(500, error.toString()), Answer.status(401, error.toString()));
            print(cli.run("-s", "canaries", "--json", "--debug", "Again"), 11);
            server.script(
                    Answer.status(500, all),
                    Answer.reply(new Step.Say("half " + all.substring(0, 60)), new Step.Cut()));
            print(cli.run("-s", "canaries", "Again"), 11);
            server.script(Answer.says("well"));
            print(cli.run("-s", "canaries", "--dry-run", all), 0);
            print(cli.run("-s", "canaries", "And?"), 0);
            server.requests().forEach(request -> printed.append(request.body()).append('\n'));
        }
        for (var format : List.of("json", "yaml", "md")) {
            print(cli.session("export", "canaries", "--format", format), 0);
        }
        print(cli.session("show", "canaries", "--messages", "100"), 0);
        print(cli.session("tree", "canaries", "--json"), 0);
        print(cli.session("list"), 0);

        var kept = kept();
        var heard = heard();
        registered.forEach((name, value) -> {
            for (var spelling : spellings(value)) {
                assertThat(kept).as("%s in a file", name).doesNotContain(spelling);
                assertThat(printed.toString())
                        .as("%s in what was printed", name)
                        .doesNotContain(spelling);
                assertThat(heard).as("%s in a log", name).doesNotContain(spelling);
            }
        });
        for (var shape : shapes) {
            assertThat(kept).as("a shape in a file").doesNotContain(shape);
            assertThat(printed.toString()).as("a shape in what was printed").doesNotContain(shape);
            assertThat(heard).as("a shape in a log").doesNotContain(shape);
        }
    }

    private Cli cli() throws IOException {
        Files.writeString(home.resolve("config.yaml"), """
                environment: [CANARY_1_TOKEN, CANARY_2_TOKEN]
                permissions:
                  allow: [shell]
                limits:
                  retries: 1
                """);
        var cli = new Cli(home);
        cli.env.putAll(registered);
        cli.env.put("PATH", "/usr/bin:/bin");
        return cli;
    }

    private void print(Cli.Ran ran, int code) {
        printed.append(ran.out()).append(ran.err());
        assertThat(ran.code()).as(ran.err()).isEqualTo(code);
    }

    /// A text, broken where it hurts.
    private List<Step> pieces(String text) {
        var pieces = new ArrayList<Step>();
        for (int from = 0; from < text.length(); ) {
            var to = Math.min(text.length(), from + 1 + random.nextInt(7));
            pieces.add(new Step.Say(text.substring(from, to)));
            from = to;
        }
        return pieces;
    }

    private String shapesAsPrinted() {
        var lines = new StringBuilder();
        var secrets = shapes.iterator();
        SHAPES.keySet()
                .forEach(prefix -> lines.append(prefix)
                        .append(secrets.next())
                        .append(prefix.startsWith("https") ? "@example.org/" : "")
                        .append('\n'));
        return lines.toString();
    }

    /// Whatever stands in a file below home, but for what the person wrote there.
    private String kept() throws IOException {
        var kept = new StringBuilder();
        try (var files = Files.walk(home)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                kept.append(file).append('\n').append(Files.readString(file, StandardCharsets.ISO_8859_1));
                kept.append(Files.readString(file));
            }
        }
        assertThat(kept).contains("journal.jsonl");
        return kept.toString();
    }

    private String heard() {
        return logged.list.stream()
                .map(event -> event.getFormattedMessage()
                        + (event.getThrowableProxy() == null
                                ? ""
                                : ThrowableProxyUtil.asString(event.getThrowableProxy())))
                .collect(Collectors.joining("\n"));
    }

    private static List<String> spellings(String value) {
        var json = Json.MAPPER.writeValueAsString(value);
        return List.of(
                value,
                json.substring(1, json.length() - 1),
                URLEncoder.encode(value, UTF_8),
                Base64.getEncoder().withoutPadding().encodeToString(value.getBytes(UTF_8)));
    }

    private String some(int length) {
        return random.ints(length, 0, LETTERS.length())
                .mapToObj(i -> LETTERS.substring(i, i + 1))
                .collect(Collectors.joining());
    }
}
