package dev.skein.tools.mcp.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.cancellation.Cancellation;
import dev.skein.tools.mcp.Servers;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.wire.McpFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Logging in to a server, being kept logged in, and all who should not be believed on the way.
class OAuthTest {

    @TempDir
    Path home;

    private final AtomicReference<Instant> now =
            new AtomicReference<>(Clock.systemUTC().instant());
    private final Map<String, String> secrets = new HashMap<>();
    private final List<URI> visited = new ArrayList<>();
    private final Map<String, String> tampered = new HashMap<>();
    private Guarded server;
    private TokenFile tokens;

    @BeforeEach
    void open() throws IOException {
        server = new Guarded();
        tokens = new TokenFile(home.resolve(TokenFile.FILE));
    }

    @AfterEach
    void close() {
        server.close();
    }

    /// Says yes to everything.
    private final class Yes implements Consent {
        @Override
        public URI redirect() {
            return URI.create("http://127.0.0.1:1/callback");
        }

        @Override
        public Map<String, String> ask(URI authorization) {
            visited.add(authorization);
            var query = Callback.query(authorization.getRawQuery());
            var back = new HashMap<>(Map.of("code", "c", "state", query.get("state"), "iss", server.issuer));
            back.putAll(tampered);
            back.values().removeIf(String::isEmpty);
            return back;
        }
    }

    private void use(@Nullable Consent consent) throws InterruptedException {
        var oauth = new OAuth("web", server.url(), OAuthClient.NONE, tokens, consent, now::get, secrets::putAll);
        var terms = Servers.terms(home).withCredentials(_ -> oauth);
        var web = McpServer.of("web", new McpServer.Reach.Web(server.url(), Map.of()))
                .withTimeouts(Duration.ofMinutes(1), Duration.ofMinutes(1));
        try (var client = McpClient.open(web, terms, new Cancellation())) {
            client.tools(new Cancellation());
        }
    }

    private void refusedSaying(String words) {
        assertThatThrownBy(() -> use(new Yes()))
                .isInstanceOfSatisfying(
                        McpFailure.class, failure -> assertThat(failure.kind()).isEqualTo(McpFailure.Kind.UNAUTHORIZED))
                .hasMessageContaining(words);
        assertThat(server.given.get()).isZero();
    }

    @Test
    void a_person_says_yes_once_and_the_token_is_used_from_then_on() throws Exception {
        use(new Yes());
        use(null);

        assertThat(server.given.get()).isEqualTo(1);
        var query = Callback.query(visited.getFirst().getRawQuery());
        assertThat(query)
                .containsEntry("code_challenge_method", "S256")
                .containsEntry("scope", "read")
                .containsEntry("resource", server.url().toString())
                .containsEntry("client_id", "newcomer");
        assertThat(server.asked)
                .anySatisfy(request -> assertThat(request)
                        .startsWith("/token")
                        .contains("code_verifier=")
                        .contains("resource="));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(TokenFile.FILE))))
                .isEqualTo("rw-------");
        assertThat(secrets).containsValue("token-number-1").containsValue("refresh-number-1");
        assertThat(tokens.forget(OAuth.key("web", server.url()))).isTrue();
        assertThatThrownBy(() -> use(null)).hasMessageContaining("skein mcp login web");
    }

    @Test
    void a_token_is_renewed_before_it_expires_and_when_it_is_refused() throws Exception {
        use(new Yes());
        now.set(now.get().plus(Duration.ofHours(2)));
        use(null);
        assertThat(server.given.get()).isEqualTo(2);

        server.valid = "revoked";
        use(null);
        assertThat(server.given.get()).isEqualTo(3);

        server.valid = "revoked";
        server.refreshes = false;
        assertThatThrownBy(() -> use(null)).hasMessageContaining("skein mcp login web");
        use(new Yes());
        assertThat(server.given.get()).isEqualTo(4);
        assertThat(visited).hasSize(2);
    }

    private Grant kept() {
        return tokens.get(OAuth.key("web", server.url())).orElseThrow();
    }

    @Test
    void what_cannot_be_renewed_just_now_is_kept_and_renewed_later() throws Exception {
        use(new Yes());
        var before = kept();
        now.set(now.get().plus(Duration.ofHours(2)));
        for (var status : List.of(400, 429, 500, 503)) {
            server.troubled = status;
            assertThatThrownBy(() -> use(null))
                    .isInstanceOf(McpFailure.class)
                    .hasMessageContaining("the MCP server 'web'")
                    .hasMessageContaining("cannot be renewed just now")
                    .hasMessageContaining("temporarily_unavailable")
                    .hasMessageContaining("skein mcp login web");
            assertThat(kept()).isEqualTo(before);
        }
        server.troubled = 0;
        use(null);

        assertThat(server.given.get()).isEqualTo(2);
        assertThat(visited).hasSize(1);
    }

    @Test
    void an_issuer_that_does_not_answer_takes_nothing_away() throws Exception {
        use(new Yes());
        var key = OAuth.key("web", server.url());
        var real = kept();
        var nobody = "http://127.0.0.1:1/token";
        var astray = new Grant(
                real.issuer(),
                nobody,
                real.resource(),
                real.clientId(),
                real.clientSecret(),
                real.clientAuth(),
                real.accessToken(),
                real.refreshToken(),
                real.expiresAt(),
                real.scope());
        tokens.put(key, astray);

        now.set(now.get().plus(Duration.ofHours(1)).minusSeconds(10));
        use(null);
        now.set(now.get().plus(Duration.ofHours(1)));
        assertThatThrownBy(() -> use(null)).hasMessageContaining("does not answer");
        assertThat(kept()).isEqualTo(astray);

        server.valid = "revoked";
        use(new Yes());
        assertThat(kept().tokenEndpoint()).isEqualTo(real.tokenEndpoint());
        assertThat(visited).hasSize(2);
    }

    @Test
    void who_renews_too_late_takes_what_another_process_was_given() throws Exception {
        use(new Yes());
        var another = new TokenFile(home.resolve(TokenFile.FILE));
        now.set(now.get().plus(Duration.ofHours(2)));
        server.refreshes = false;
        server.meanwhile = () -> {
            server.valid = "token-of-another";
            another.put(
                    OAuth.key("web", server.url()),
                    kept().with(
                                    "token-of-another",
                                    "refresh-of-another",
                                    now.get().plus(Duration.ofHours(1)),
                                    "read"));
        };
        use(null);

        assertThat(kept().refreshToken()).isEqualTo("refresh-of-another");
        assertThat(secrets).containsValue("token-of-another");
    }

    @Test
    void what_was_forgotten_while_it_was_renewed_in_vain_stays_forgotten() throws Exception {
        use(new Yes());
        now.set(now.get().plus(Duration.ofHours(2)));
        server.refreshes = false;
        server.meanwhile = () -> tokens.forget(OAuth.key("web", server.url()));

        assertThatThrownBy(() -> use(null)).hasMessageContaining("skein mcp login web");
        assertThat(tokens.get(OAuth.key("web", server.url()))).isEmpty();
    }

    @Test
    void a_server_that_says_it_is_another_gets_no_token() {
        server.resource = "https://bank.example/mcp";
        refusedSaying("which it is not");
    }

    @Test
    void an_issuer_that_says_it_is_another_is_not_believed() {
        server.issuerInMetadata = server.base() + "/";
        refusedSaying("which says that it is");
    }

    @Test
    void an_answer_from_somebody_else_is_not_believed() {
        tampered.put("iss", "https://evil.example");
        refusedSaying("nothing is believed");
        tampered.put("iss", "");
        refusedSaying("nothing is believed");
        tampered.clear();
        tampered.put("state", "guessed");
        refusedSaying("was not asked");
        tampered.clear();
        tampered.put("code", "");
        tampered.put("error", "access_denied");
        refusedSaying("access_denied");
    }

    @Test
    void a_server_sends_us_to_no_private_address_and_to_nothing_but_https() {
        var web = new AuthWeb("web", URI.create("https://example.org/mcp"));
        for (var address : List.of(
                "https://169.254.169.254/latest",
                "https://10.0.0.1/",
                "https://[::ffff:127.0.0.1]/",
                "https://localhost/",
                "file:///etc/passwd",
                "http://8.8.8.8/",
                "https://user@8.8.8.8/")) {
            assertThatThrownBy(() -> web.checked(URI.create(address)))
                    .as(address)
                    .isInstanceOf(McpFailure.class);
        }
        web.close();
    }

    @Test
    void the_browser_comes_back_to_a_port_of_this_machine() throws Exception {
        try (var http = HttpClient.newHttpClient();
                var callback = new Callback(visited::add, Duration.ofMinutes(1))) {
            var redirect = callback.redirect();
            var page = http.send(
                    HttpRequest.newBuilder(URI.create(redirect + "?code=a%20b&state=s"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(page.body()).contains("close this page");
            assertThat(callback.ask(URI.create("https://login.example/")))
                    .containsEntry("code", "a b")
                    .containsEntry("state", "s");
        }
        assertThat(visited).containsExactly(URI.create("https://login.example/"));
    }
}
