package dev.skein.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cli.terminal.Streams;
import dev.skein.wire.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// MCP servers of a program that another program talks to again and again. Each call takes two minutes, by the clock:
/// what was listed for a run is kept for one anyway.
class KeptServersTest {

    private static final String SERVER = """
            #!/bin/sh
            echo started >> "$(dirname "$0")/started"
            while read -r line; do
              id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
              case "$line" in
                *'"initialize"'*) result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},
                  "serverInfo":{"name":"tiny","version":"1"}}' ;;
                *'"tools/list"'*) result='{"tools":[{"name":"greet","inputSchema":{"type":"object"}}]}' ;;
                *'"tools/call"'*) echo called >> "$(dirname "$0")/called"
                  result='{"content":[{"type":"text","text":"good day"}]}' ;;
                *) continue ;;
              esac
              printf '{"jsonrpc":"2.0","id":%s,"result":%s}' "$id" "$result" | tr '\\n' ' '
              printf '\\n'
            done
            """;

    @TempDir
    Path home;

    /// Two minutes pass with every call of the server, and none otherwise.
    private final class Calls extends Clock {
        private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public Instant instant() {
            return START.plus(Duration.ofMinutes(2L * noted("called")));
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    /// How often the server noted this.
    private int noted(String what) {
        var notes = home.resolve("tiny").resolve(what);
        try {
            return Files.exists(notes) ? Files.readAllLines(notes).size() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What was written, line by line. A pipe would break when the thread that wrote has ended.
    private static final class Lines extends OutputStream {
        private final BlockingQueue<String> whole = new LinkedBlockingQueue<>();
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int b) {
            if (b == '\n') {
                whole.add(line.toString(UTF_8));
                line.reset();
            } else {
                line.write(b);
            }
        }
    }

    @Test
    void mcp_serve_keeps_them_from_prompt_to_prompt() throws Exception {
        var server = Files.createDirectory(home.resolve("tiny")).resolve("server");
        Files.writeString(server, SERVER);
        assertThat(server.toFile().setExecutable(true)).isTrue();
        Files.writeString(home.resolve("mcp.json"), "{\"mcpServers\":{\"tiny\":{\"command\":\"" + server + "\"}}}");
        Files.writeString(home.resolve("config.yaml"), "permissions: {allow: [tiny__greet]}\n");
        var cli = new Cli(home);
        cli.env.put("PATH", "/usr/bin:/bin");
        var said = new PipedOutputStream();
        var answers = new Lines();
        var in = new PipedInputStream(said, 1 << 16);
        var streams = new Streams(in, answers, new ByteArrayOutputStream(), Streams.Attached.PIPE);

        var code = CompletableFuture.supplyAsync(
                () -> Main.run(new String[] {"mcp", "serve"}, streams, cli.env, new Calls()));
        ask(said, answers, 1, "initialize", """
                {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}""");
        for (int id = 2; id < 5; id++) {
            var answer = ask(said, answers, id, "tools/call", """
                    {"name":"prompt_session","arguments":{"prompt":"call tiny__greet {}"}}""");
            assertThat(answer.toString()).contains("good day");
        }
        said.close();

        assertThat(code.get(120, TimeUnit.SECONDS)).isZero();
        assertThat(noted("called")).isEqualTo(3);
        assertThat(noted("started")).isEqualTo(1);
    }

    private static JsonNode ask(PipedOutputStream to, Lines from, int id, String method, String params)
            throws IOException, InterruptedException {
        var request = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}\n".formatted(id, method, params);
        to.write(request.getBytes(UTF_8));
        to.flush();
        while (true) {
            var line = from.whole.poll(120, TimeUnit.SECONDS);
            assertThat(line).as("the answer to " + request).isNotNull();
            var message = Json.MAPPER.readTree(line);
            if (message.path("id").asInt(-1) == id) {
                return message;
            }
        }
    }
}
