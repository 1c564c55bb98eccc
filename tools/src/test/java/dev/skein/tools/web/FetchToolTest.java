package dev.skein.tools.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tools.call.Calls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FetchToolTest {

    private static final SSLSocketFactory TLS = (SSLSocketFactory) SSLSocketFactory.getDefault();

    private final CountDownLatch over = new CountDownLatch(1);
    private HttpServer server;
    private String base;
    private Tool fetch;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        base = "http://127.0.0.1:" + server.getAddress().getPort();
        fetch = FetchTool.with(terms(FetchTool.Reach.EVERYWHERE));
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.stop(0);
    }

    private static FetchTool.Terms terms(FetchTool.Reach reach) {
        return new FetchTool.Terms(reach, Duration.ofSeconds(60), 1_000_000, 10_000);
    }

    private String words(String url) throws InterruptedException {
        return Calls.words(Calls.run(fetch, new Cancellation(), "url", url));
    }

    @Test
    void html_comes_as_readable_text() throws Exception {
        answer("/page", "text/html; charset=utf-8", """
                <html><head><title>Fruit</title><style>p {}</style></head><body><script>alert(1)</script>
                <h2>Kinds</h2><p>An  <b>apple</b>,
                a <a href="/pear">pear</a>.</p><ul><li>one<li><p>two</p></ul><pre>a
                  b</pre><table><tr><td>x<td>y</table></body></html>""");

        assertThat(words(base + "/page")).isEqualTo("""
                # Fruit

                ## Kinds

                An apple, a pear <%s/pear>.

                - one
                - two

                ```
                a
                  b
                ```

                | x | y
                """.formatted(base));
    }

    @Test
    void other_texts_come_as_they_are_and_pictures_not_at_all() throws Exception {
        answer("/json", "application/json", "{\"a\":1}");
        server.createContext(
                "/latin",
                exchange -> send(exchange, "text/plain; charset=iso-8859-1", "caf\u00e9".getBytes(ISO_8859_1)));
        answer("/png", "image/png", "\u0089PNG");

        server.createContext("/packed", exchange -> {
            exchange.getResponseHeaders().add("Content-Encoding", "gzip");
            send(exchange, "text/plain", "x".getBytes(UTF_8));
        });

        assertThat(words(base + "/packed")).contains("in the encoding 'gzip'");
        assertThat(words(base + "/json")).isEqualTo("{\"a\":1}");
        assertThat(words(base + "/latin")).isEqualTo("caf\u00e9");
        assertThat(words(base + "/png")).contains("is of type 'image/png', not a text");
    }

    @Test
    void a_status_that_is_an_error_is_a_failure() throws Exception {
        assertThat(words(base + "/gone")).startsWith("failed: '" + base + "/gone' answered with status 404");
    }

    @Test
    void redirects_are_followed_but_not_for_ever() throws Exception {
        redirect("/a", "/b");
        redirect("/b", base + "/c?x=1");
        answer("/c", "text/plain", "arrived");
        redirect("/loop", "/loop");

        assertThat(words(base + "/a")).isEqualTo("arrived");
        assertThat(words(base + "/loop")).contains("leads on more than 5 times");
    }

    @Test
    void a_redirect_is_checked_like_the_first_url() throws Exception {
        var asked = new AtomicInteger();
        server.createContext("/secret", exchange -> {
            asked.incrementAndGet();
            send(exchange, "text/plain", "secret".getBytes(UTF_8));
        });
        redirect("/trap", "http://inner.example:" + server.getAddress().getPort() + "/secret");
        redirect("/file", "file:///etc/passwd");
        redirect("/login", "http://me:pass@127.0.0.1/");
        var outer = InetAddress.ofLiteral("127.0.0.1");
        var inner = InetAddress.ofLiteral("127.0.0.2");
        fetch = FetchTool.with(
                terms(FetchTool.Reach.PUBLIC),
                outer::equals,
                host -> List.of(host.equals("inner.example") ? inner : outer),
                TLS);

        assertThat(words(base + "/trap")).contains("'inner.example' is at 127.0.0.2");
        assertThat(words(base + "/file")).contains("is neither http nor https");
        assertThat(words(base + "/login")).contains("user name or password");
        assertThat(asked).hasValue(0);
    }

    @Test
    void by_default_this_machine_is_out_of_reach() throws Exception {
        fetch = FetchTool.with(terms(FetchTool.Reach.PUBLIC));

        assertThat(words(base + "/")).contains("is at 127.0.0.1, which is not on the public internet");
    }

    @Test
    void a_name_that_changes_its_meaning_is_looked_up_once() throws Exception {
        var lookups = new AtomicInteger();
        answer("/", "text/plain", "hello");
        fetch = FetchTool.with(
                terms(FetchTool.Reach.EVERYWHERE),
                _ -> true,
                _ -> {
                    lookups.incrementAndGet();
                    return List.of(InetAddress.ofLiteral("127.0.0.1"));
                },
                TLS);

        assertThat(words("http://rebinding.example:" + server.getAddress().getPort() + "/"))
                .isEqualTo("hello");
        assertThat(lookups).hasValue(1);
    }

    @Test
    void an_endless_page_is_cut_and_a_silent_one_given_up() throws Exception {
        server.createContext("/endless", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, 0);
            try (var out = exchange.getResponseBody()) {
                while (over.getCount() > 0) {
                    out.write("word ".repeat(1000).getBytes(UTF_8));
                }
            }
        });
        server.createContext("/silent", exchange -> awaitEnd());

        assertThat(words(base + "/endless")).hasSizeLessThan(10_100).endsWith("[cut: the page is longer]");
        var briefly = Duration.ofMillis(500);
        var hasty = FetchTool.with(new FetchTool.Terms(FetchTool.Reach.EVERYWHERE, briefly, 1000, 1000));
        assertThat(Calls.run(hasty, new Cancellation(), "url", base + "/silent"))
                .isEqualTo(new ToolOutcome.TimedOut(briefly));
    }

    @Test
    void a_cancelled_fetch_ends_at_once() throws Exception {
        var asked = new CountDownLatch(1);
        server.createContext("/silent", exchange -> {
            asked.countDown();
            awaitEnd();
        });
        var slow = FetchTool.with(new FetchTool.Terms(FetchTool.Reach.EVERYWHERE, Duration.ofMinutes(5), 1000, 1000));
        var cancellation = new Cancellation();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = threads.submit(() -> Calls.run(slow, cancellation, "url", base + "/silent"));
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();

            cancellation.cancel("enough");

            assertThatThrownBy(() -> running.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(Cancelled.class);
        }
    }

    @Test
    void a_certificate_must_be_for_the_name_asked_for(@TempDir Path directory) throws Exception {
        var context = certificateFor("pinned.example", directory);
        var secure = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(context));
        secure.createContext("/", exchange -> send(exchange, "text/plain", "safe".getBytes(UTF_8)));
        secure.start();
        try {
            var port = secure.getAddress().getPort();
            fetch = FetchTool.with(
                    terms(FetchTool.Reach.EVERYWHERE),
                    _ -> true,
                    _ -> List.of(InetAddress.ofLiteral("127.0.0.1")),
                    context.getSocketFactory());

            assertThat(words("https://pinned.example:" + port + "/")).isEqualTo("safe");
            assertThat(words("https://other.example:" + port + "/")).contains("failed: ", "other.example");
        } finally {
            secure.stop(0);
        }
    }

    private static SSLContext certificateFor(String name, Path directory) throws Exception {
        var file = directory.resolve("keys");
        var made = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "a",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:" + name,
                        "-storepass",
                        "changeit",
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        assertThat(made).isZero();
        var keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            keys.load(in, "changeit".toCharArray());
        }
        var own = KeyManagerFactory.getInstance("PKIX");
        own.init(keys, "changeit".toCharArray());
        var trusted = TrustManagerFactory.getInstance("PKIX");
        var others = KeyStore.getInstance("PKCS12");
        others.load(null, null);
        others.setCertificateEntry("a", keys.getCertificate("a"));
        trusted.init(others);
        var context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    private void answer(String path, String type, String body) {
        server.createContext(path, exchange -> send(exchange, type, body.getBytes(UTF_8)));
    }

    private void redirect(String path, String to) {
        server.createContext(path, exchange -> {
            exchange.getResponseHeaders().add("Location", to);
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
    }

    private static void send(HttpExchange exchange, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(200, body.length);
        try (var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private void awaitEnd() {
        try {
            over.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
