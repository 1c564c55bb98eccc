package dev.skein.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.skein.cli.secret.Vault;
import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.testkit.provider.OpenAiWire;
import dev.skein.testkit.provider.ProviderServer;
import dev.skein.wire.Json;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
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

/// Fifty secrets of fifty shapes lie in the vault. They go out as environment, arguments and headers of MCP servers and
/// as a provider's key, and come back in results, on standard error and in failures with their traces. They are looked
/// for in every file below home, in what is printed, in exports, in logs, and in what the provider is sent to read.
class VaultCanariesTest {

    private static final String LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

    private static final List<String> BEGINNINGS = List.of(
            "sk-ant-",
            "sk-proj-",
            "AIza",
            "ya29.",
            "ghp_",
            "github_pat_",
            "glpat-",
            "xoxb-",
            "sk_live_",
            "npm_",
            "hf_",
            "pypi-",
            "hvs.",
            "dckr_pat_",
            "AKIA",
            "eyJ",
            "SG.",
            "r8_",
            "postgres://u:",
            "");

    /// Speaks MCP, and says everything it was given in every way it can.
    private static final String SERVER = """
            #!/bin/sh
            leak="$CANARY_ENV $*"
            echo "starting with $leak" >&2
            while read -r line; do
              id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
              case "$line" in
                *'"initialize"'*) result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},
                  "serverInfo":{"name":"leaky","version":"1"}}' ;;
                *'"tools/list"'*) result='{"tools":[{"name":"tell","description":"Tells '$leak'",
                  "annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}}]}' ;;
                *'"tools/call"'*) echo "called with $leak" >&2
                  result='{"content":[{"type":"text","text":"it is '$leak'"}],"isError":true}' ;;
                *) continue ;;
              esac
              printf '{"jsonrpc":"2.0","id":%s,"result":%s}' "$id" "$result" | tr '\\n' ' '
              printf '\\n'
            done
            """;

    @TempDir
    Path home;

    private final Random random = new Random(7);
    private final Map<String, String> secrets = new LinkedHashMap<>();
    private final StringBuilder printed = new StringBuilder();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level level = root.getLevel();
    private Cli cli;

    @BeforeEach
    void fill() {
        logged.start();
        root.addAppender(logged);
        root.setLevel(Level.TRACE);
        for (int i = 0; i < 44; i++) {
            secrets.put("CANARY_" + i, BEGINNINGS.get(i % BEGINNINGS.size()) + some(8 + i));
        }
        secrets.put("OPENAI_API_KEY", "sk-" + some(40));
        secrets.put("QUOTED", some(6) + "\"quoted\\" + some(6));
        secrets.put("SPACED", some(6) + " with spaces " + some(6));
        secrets.put("FOR_URLS", some(6) + "+/=&?" + some(6));
        secrets.put("FOREIGN", "größe-" + some(8));
        secrets.put("LINES", some(24) + "\n" + some(24) + "\n" + some(24));
        assertThat(secrets).hasSize(50);
        var vault = new Vault(home, Map.of(), Clock.systemUTC());
        secrets.forEach(vault::add);
        cli = new Cli(home);
        cli.env.put("PATH", "/usr/bin:/bin");
    }

    @AfterEach
    void listenNoMore() {
        root.setLevel(level);
        root.detachAppender(logged);
    }

    @Test
    void no_secret_of_the_vault_comes_out_anywhere() throws IOException {
        var plain = secrets.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("CANARY"))
                .map(Map.Entry::getKey)
                .toList();
        var all = String.join(" ; ", secrets.values());
        try (var server = ProviderServer.speaking(new OpenAiWire())) {
            configure(plain, server);
            var command = "printf '%s' \"$0\"; cat " + home.resolve("vault.key") + " " + home.resolve("vault.yaml");
            server.script(
                    Answer.calls(
                            new Step.Say("You said " + all),
                            new Step.Call("c1", "leaky__tell", "{}"),
                            new Step.Call("c2", "shell", json("command", command)),
                            new Step.Call("c3", "shell", json("command", "echo '" + base64(all) + "' >&2; exit 3"))),
                    Answer.says("It was " + all));
            print(cli.run("-s", "canaries", "-m", "openai:test", "--json", "Mine: " + all), 0);
            assertThat(printed).contains("[REDACTED:CANARY_7]", "it is [REDACTED:");

            server.script(Answer.status(500, all), Answer.status(401, json("error", "wrong: " + all)));
            print(cli.run("-s", "canaries", "--debug", "Again"), 11);
            server.script(Answer.status(401, all), Answer.status(401, all));
            print(cli.run("-s", "canaries", "--json", "--debug", "Again"), 11);
            server.script(Answer.says("well"));
            print(cli.run("-s", "canaries", "--dry-run", all), 0);
            server.requests().forEach(request -> printed.append(request.body()).append('\n'));
        }
        for (var format : List.of("json", "yaml", "md")) {
            print(cli.session("export", "canaries", "--format", format), 0);
        }
        print(cli.session("show", "canaries", "--messages", "100", "--json"), 0);
        print(cli.session("tree", "canaries", "--json"), 0);
        print(cli.run("mcp", "list", "--json"), 0);
        print(cli.run("mcp", "tools"), 0);
        print(cli.run("vault", "list", "--json"), 0);
        print(cli.run("doctor", "--json"), 0);

        kept().forEach(this::requireNone);
        requireNone("what was printed", printed.toString());
        requireNone("a log", heard());
        assertThat(String.join("\n", kept().values()) + printed + heard())
                .doesNotContain(Files.readString(home.resolve("vault.key")).strip());
    }

    private void configure(List<String> names, ProviderServer server) throws IOException {
        var leaky = Files.writeString(home.resolve("leaky.sh"), SERVER);
        assertThat(leaky.toFile().setExecutable(true)).isTrue();
        var servers = Json.MAPPER.createObjectNode();
        var entry = servers.putObject("mcpServers").putObject("leaky").put("command", leaky.toString());
        names.subList(0, 22).forEach(name -> entry.withArray("args").add("{{" + name + "}}"));
        entry.putObject("env")
                .put(
                        "CANARY_ENV",
                        names.subList(22, names.size()).stream()
                                .map(name -> "{{" + name + "}}")
                                .collect(Collectors.joining(" ")));
        servers.withObject("mcpServers")
                .putObject("away")
                .put("url", "http://127.0.0.1:9/mcp")
                .putObject("headers")
                .put("X-Canary", "{{CANARY_19}}")
                .put("Authorization", "Bearer {{CANARY_4}}");
        Files.writeString(home.resolve("mcp.json"), servers.toString());
        Files.writeString(home.resolve("config.yaml"), """
                permissions:
                  allow: [shell, leaky__tell]
                limits:
                  retries: 1
                """);
        cli.env.put("OPENAI_BASE_URL", server.baseUrl().toString());
    }

    private static String json(String key, String value) {
        return Json.MAPPER.createObjectNode().put(key, value).toString();
    }

    private void print(Cli.Ran ran, int code) {
        printed.append(ran.out()).append(ran.err());
        assertThat(ran.code()).as(ran.err()).isEqualTo(code);
    }

    private void requireNone(String where, String text) {
        var hits = new ArrayList<String>();
        secrets.forEach((name, value) -> {
            for (var spelling : spellings(value)) {
                if (text.contains(spelling) && !hits.contains(name)) {
                    hits.add(name);
                }
            }
        });
        assertThat(hits).as("secrets in " + where).isEmpty();
    }

    private static List<String> spellings(String value) {
        var json = Json.MAPPER.writeValueAsString(value);
        var spellings = new ArrayList<>(
                List.of(value, json.substring(1, json.length() - 1), URLEncoder.encode(value, UTF_8), base64(value)));
        if (value.contains("\n")) {
            spellings.addAll(value.lines().toList());
        }
        return spellings;
    }

    private static String base64(String text) {
        return Base64.getEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }

    /// Whatever stands in each file below home, but for the key itself.
    private Map<String, String> kept() throws IOException {
        var kept = new LinkedHashMap<String, String>();
        try (var files = Files.walk(home)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                if (!file.endsWith("vault.key")) {
                    kept.put(home.relativize(file).toString(), new String(Files.readAllBytes(file), UTF_8));
                }
            }
        }
        assertThat(kept.keySet()).anyMatch(file -> file.endsWith("journal.jsonl"));
        return kept;
    }

    private String heard() {
        return logged.list.stream()
                .map(event -> event.getFormattedMessage()
                        + (event.getThrowableProxy() == null
                                ? ""
                                : ThrowableProxyUtil.asString(event.getThrowableProxy())))
                .collect(Collectors.joining("\n"));
    }

    private String some(int length) {
        return random.ints(length, 0, LETTERS.length())
                .mapToObj(i -> LETTERS.substring(i, i + 1))
                .collect(Collectors.joining());
    }
}
