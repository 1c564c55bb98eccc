package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.server.route.Route;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Two owners, on every route there is: a new route is covered by being in the table.
class IsolationTest {

    private static final String MISSING = "01890000-0000-7000-8000-000000000000";
    private static final String SECRET = "xylophone";

    private static TestServer server;
    private static String anns;

    @BeforeAll
    static void start() {
        server = new TestServer();
        var ann = server.client("ann");
        anns = ann.create("{\"alias\":\"hers\",\"description\":\"" + SECRET + "\"}");
        ann.post("/v1/sessions/hers/completions", "{\"prompt\":\"act " + SECRET + "\"}")
                .is(200);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void nobody_gets_in_without_saying_who_they_are(Route route) {
        var answer = server.client(null).send(route.method(), path(route, anns), body(route));

        if (route.access() == Route.Access.OPEN) {
            // A file of the page has the version it belongs to in its address.
            answer.is(route == Route.PAGE_FILE ? 404 : 200);
        } else {
            assertThat(answer.is(401).code()).isEqualTo("auth.required");
            assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
        }
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void a_grant_that_is_needed_must_be_there(Route route) {
        var needs = route.grant()
                .map(grant -> !grant.wire().equals("read:sessions"))
                .orElse(false);
        if (needs) {
            var answer = server.client("reader").send(route.method(), path(route, anns), body(route));
            assertThat(answer.is(403).code()).isEqualTo("auth.forbidden");
        }
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void anothers_session_answers_exactly_as_one_that_is_not_there(Route route) {
        var bob = server.client("bob");
        if (!route.path().contains("{id}")) {
            if (!route.method().equals("GET")) {
                return;
            }
            assertThat(bob.get(path(route, "")).body()).doesNotContain(SECRET, anns);
            return;
        }
        for (var pair : List.of(List.of(anns, MISSING), List.of("hers", "none"))) {
            var foreign = bob.send(route.method(), path(route, pair.getFirst()), body(route));
            var missing = bob.send(route.method(), path(route, pair.getLast()), body(route));

            foreign.is(404);
            assertThat(plain(foreign, pair.getFirst())).isEqualTo(plain(missing, pair.getLast()));
        }
        assertThat(server.client("ann").get("/v1/sessions/" + anns).is(200).text("status"))
                .isEqualTo("waiting");
    }

    /// Status, headers and bytes, without what differs by nature.
    private static String plain(Client.Answer answer, String id) {
        var headers = new TreeMap<>(answer.response().headers().map());
        headers.remove("x-request-id");
        headers.remove("date");
        headers.remove("content-length");
        return answer.status()
                + headers.toString()
                + answer.body()
                        .replace(answer.header("X-Request-Id"), "REQUEST")
                        .replace("'" + id + "'", "'ID'");
    }

    private static String path(Route route, String id) {
        return route.path()
                        .replace("{id}", id)
                        .replace("{call}", "call-act-" + SECRET)
                        .replace("{channel}", "telegram")
                        .replace("{chat}", "42")
                        .replace("{version}", "0")
                        .replace("{file}", "app.js")
                        .replace("{name}", "town")
                + (route == Route.SEARCH ? "?q=" + SECRET : "");
    }

    private static String body(Route route) {
        return route.method().equals("GET") || route.method().equals("DELETE")
                ? null
                : "{\"prompt\":\"hi\",\"approved\":true,\"branches\":[{},{}]}";
    }
}
