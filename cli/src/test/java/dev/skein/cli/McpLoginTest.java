package dev.skein.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cli.terminal.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `skein mcp login` and `logout`, with a browser that goes where it is sent.
class McpLoginTest {

    private static final Pattern ADDRESS = Pattern.compile("(http://127\\.0\\.0\\.1:\\S+/authorize\\?\\S+)\\s");
    private static final int PATIENCE_SECONDS = 60;
    private static final String TOKENS = "mcp-tokens.json";

    @TempDir
    Path home;

    private Cli cli;
    private LoginServer server;

    @BeforeEach
    void open() throws IOException {
        server = new LoginServer();
        cli = new Cli(home);
        cli.env.put("PATH", "/usr/bin:/bin");
        assertThat(cli.run("mcp", "add", "town", "--url", server.url()).code()).isZero();
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void a_person_says_yes_in_the_browser_and_is_let_in_until_logging_out() throws Exception {
        var before = cli.run("mcp", "test", "town");
        assertThat(before.code()).isEqualTo(12);
        assertThat(before.err()).contains("skein mcp login town");

        var login = login();

        assertThat(login.code()).isZero();
        assertThat(login.out()).contains("'town' lets us in").contains("vault of the town");
        assertThat(login.out() + login.err()).doesNotContain(server.token());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(TOKENS))))
                .isEqualTo("rw-------");
        assertThat(cli.run("mcp", "tools", "town").out()).contains("town__open");

        assertThat(cli.run("mcp", "logout", "town").out()).contains("forgotten");
        assertThat(Files.readString(home.resolve(TOKENS))).doesNotContain(server.token());
        assertThat(cli.run("mcp", "test", "town").err()).contains("skein mcp login town");
        assertThat(cli.run("mcp", "logout", "town", "--json")
                        .json()
                        .path("forgotten")
                        .asBoolean(true))
                .isFalse();
    }

    @Test
    void a_no_in_the_browser_keeps_nothing() throws Exception {
        server.saysYes = false;

        var login = login();

        assertThat(login.code()).isEqualTo(12);
        assertThat(login.err()).contains("access_denied");
        assertThat(server.token()).isEmpty();
        assertThat(cli.run("mcp", "logout", "town").out()).contains("nothing to forget");
    }

    @Test
    void who_needs_no_login_is_told_so() {
        cli.run("mcp", "add", "here", "--", "/bin/cat");
        cli.run("mcp", "add", "known", "--url", server.url(), "--header", "Authorization=Bearer x");

        for (var name : List.of("here", "known")) {
            assertThat(cli.run("mcp", "login", name).code()).isEqualTo(2);
        }
        assertThat(cli.run("mcp", "login", "nobody").code()).isEqualTo(3);
        assertThat(cli.run("mcp", "logout", "nobody").code()).isEqualTo(3);
    }

    /// Runs the command until it shows an address, and opens that.
    private Cli.Ran login() throws Exception {
        var address = new CompletableFuture<URI>();
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] bytes, int from, int length) {
                super.write(bytes, from, length);
                look();
            }

            @Override
            public synchronized void write(int one) {
                super.write(one);
                look();
            }

            private void look() {
                var found = ADDRESS.matcher(toString(UTF_8));
                if (found.find()) {
                    address.complete(URI.create(found.group(1)));
                }
            }
        };
        try (var thread = Executors.newVirtualThreadPerTaskExecutor();
                var browser = HttpClient.newBuilder()
                        .followRedirects(HttpClient.Redirect.ALWAYS)
                        .build()) {
            var streams = new Streams(new ByteArrayInputStream(new byte[0]), out, err, Streams.Attached.PIPE);
            var run = thread.submit(() -> Main.run(new String[] {"mcp", "login", "town"}, streams, cli.env, cli.clock));
            var page = HttpRequest.newBuilder(address.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .build();
            assertThat(browser.send(page, BodyHandlers.ofString()).body()).isNotBlank();
            return new Cli.Ran(run.get(PATIENCE_SECONDS, TimeUnit.SECONDS), out.toString(UTF_8), err.toString(UTF_8));
        }
    }
}
