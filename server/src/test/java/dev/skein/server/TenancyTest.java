package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.server.auth.Door;
import dev.skein.server.auth.Grant;
import dev.skein.server.auth.KeyFile;
import dev.skein.server.route.Route;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every route, asked by everybody, with real keys: nobody, a wrong key, a revoked one, another owner, somebody who may
/// only read, and an administrator.
///
/// What each route needs is written down here once more, so that nobody changes it by accident, and a route that is not
/// listed fails the build.
class TenancyTest {

    private static final String MISSING = "01890000-0000-7000-8000-000000000000";
    private static final String SECRET = "xylophone";

    /// What a route is about.
    private enum About {
        /// The session in its path.
        SESSION,
        /// What is the caller's own.
        OWN,
        /// The same for all.
        ALL
    }

    private record Row(Optional<Grant> needs, About about) {}

    private static final Map<Route, Row> TABLE = new EnumMap<>(Route.class);

    static {
        list(Optional.empty(), About.ALL, Route.PAGE, Route.PAGE_FILE, Route.OPENAPI, Route.INFO, Route.AUTH_CHECK);
        list(
                Optional.of(Grant.READ_AGENTS),
                About.ALL,
                Route.TOOLS,
                Route.ROLES,
                Route.AGENTS,
                Route.RAGS,
                Route.INFO_MCP);
        list(Optional.of(Grant.ADMIN_MCP), About.ALL, Route.RELOAD_MCP);
        list(Optional.of(Grant.ADMIN_RAGS), About.ALL, Route.REBUILD_RAG);
        list(Optional.of(Grant.READ_MODELS), About.ALL, Route.MODELS);
        list(Optional.of(Grant.READ_SESSIONS), About.OWN, Route.SEARCH, Route.LIST_SESSIONS);
        list(Optional.of(Grant.WRITE_SESSIONS), About.OWN, Route.CREATE_SESSION);
        list(Optional.of(Grant.RUN_AGENTS), About.OWN, Route.COMPLETE, Route.CHAT, Route.SAY, Route.RUN_SCHEDULE);
        list(Optional.of(Grant.READ_AGENTS), About.OWN, Route.SCHEDULES);
        list(
                Optional.of(Grant.READ_SESSIONS),
                About.SESSION,
                Route.GET_SESSION,
                Route.MESSAGES,
                Route.LOOPS,
                Route.TREE,
                Route.USAGE,
                Route.EXPORT,
                Route.EVENTS,
                Route.APPROVALS);
        list(
                Optional.of(Grant.WRITE_SESSIONS),
                About.SESSION,
                Route.CHANGE_SESSION,
                Route.DELETE_SESSION,
                Route.SET_ROLE,
                Route.CLEAR_ROLE,
                Route.SET_AGENT,
                Route.CLEAR_AGENT,
                Route.SET_RAG,
                Route.CLEAR_RAG,
                Route.UNDO,
                Route.FORK,
                Route.EMPTY);
        list(
                Optional.of(Grant.RUN_AGENTS),
                About.SESSION,
                Route.DECIDE,
                Route.SESSION_COMPLETE,
                Route.CONTINUE,
                Route.REGENERATE,
                Route.PARALLEL,
                Route.COMPRESS,
                Route.CANCEL);
    }

    private static void list(Optional<Grant> needs, About about, Route... routes) {
        Arrays.stream(routes).forEach(route -> TABLE.put(route, new Row(needs, about)));
    }

    @TempDir
    static Path home;

    private static TestServer server;
    private static Client ann;
    private static Client bob;
    private static Client reader;
    private static Client admin;
    private static Client revoked;
    private static String anns;
    private static long events;

    @BeforeAll
    static void start() {
        var clock = Clock.systemUTC();
        var random = new SecureRandom();
        var file = new KeyFile(home.resolve("keys.yaml"));
        var all = Arrays.stream(Grant.values()).map(Grant::wire).toList();
        var most = all.stream().filter(scope -> !scope.startsWith("admin:")).toList();
        var keyOfAnn = file.create("ann", most, clock, random);
        var keyOfBob = file.create("bob", most, clock, random);
        var keyOfReader = file.create("reader", List.of(Grant.READ_SESSIONS.wire()), clock, random);
        var keyOfAdmin = file.create("root", all, clock, random);
        var old = file.create("ann", most, clock, random);
        file.revoke(old.stored().id(), clock);
        var door = Door.open(
                InetAddress.getLoopbackAddress(), Door.Lock.ON, Door.Places.in(home), Optional.empty(), random);
        var schedules = new TestSchedules().add("town", "0 0 29 2 *", "say " + SECRET);
        server = new TestServer(
                TestServer.OPTIONS, TestServer.Extras.NONE.with(door).with(schedules, clock));
        ann = server.client(keyOfAnn.key());
        bob = server.client(keyOfBob.key());
        reader = server.client(keyOfReader.key());
        admin = server.client(keyOfAdmin.key());
        revoked = server.client(old.key());
        anns = ann.create("{\"alias\":\"hers\",\"description\":\"" + SECRET + "\"}");
        ann.post("/v1/sessions/hers/completions", "{\"prompt\":\"act " + SECRET + "\"}")
                .is(200);
        events = version();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static long version() {
        try (var session =
                server.store.open(Scope.ofOwner("ann"), SessionId.parse(anns).orElseThrow())) {
            return session.state().version();
        }
    }

    @Test
    void every_route_is_listed_with_what_it_needs() {
        assertThat(TABLE.keySet())
                .as("a new route is listed in this test, with what it needs and what it is about")
                .containsExactlyInAnyOrder(Route.values());
        TABLE.forEach((route, row) -> {
            assertThat(route.grant()).as(route.path()).isEqualTo(row.needs());
            assertThat(route.path().contains("{id}")).as(route.path()).isEqualTo(row.about() == About.SESSION);
        });
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void without_a_key_that_counts_nobody_gets_in_and_all_get_the_same_answer(Route route) {
        var asked = Stream.of(server.client(null), server.client("skein_0011223344556677_wrong"), revoked)
                .map(client -> ask(client, route, anns))
                .toList();

        if (route.access() == Route.Access.OPEN) {
            // A file of the page has the version it belongs to in its address.
            asked.forEach(answer -> answer.is(route == Route.PAGE_FILE ? 404 : 200));
        } else {
            asked.forEach(answer -> assertThat(answer.is(401).code()).isEqualTo("auth.required"));
            assertThat(asked.stream().map(answer -> plain(answer, anns)).distinct())
                    .hasSize(1);
            assertThat(asked.getFirst().header("WWW-Authenticate")).isEqualTo("Bearer");
        }
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void who_may_only_read_sessions_does_nothing_else(Route route) {
        var needs = TABLE.get(route).needs();
        if (needs.isPresent() && needs.get() != Grant.READ_SESSIONS) {
            var own = ask(reader, route, anns);
            var missing = ask(reader, route, MISSING);

            assertThat(own.is(403).code()).isEqualTo("auth.forbidden");
            assertThat(plain(own, anns)).isEqualTo(plain(missing, MISSING));
        }
        assertUntouched();
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void anothers_session_answers_exactly_as_one_that_is_not_there(Route route) {
        for (var stranger : List.of(bob, reader, admin)) {
            var mayAsk = stranger != reader
                    || TABLE.get(route)
                            .needs()
                            .filter(grant -> grant != Grant.READ_SESSIONS)
                            .isEmpty();
            if (TABLE.get(route).about() != About.SESSION) {
                if (route.method().equals("GET")) {
                    assertThat(ask(stranger, route, "").body()).doesNotContain(SECRET, anns);
                }
            } else if (mayAsk) {
                for (var pair : List.of(List.of(anns, MISSING), List.of("hers", "none"))) {
                    var foreign = ask(stranger, route, pair.getFirst());
                    var missing = ask(stranger, route, pair.getLast());

                    foreign.is(404);
                    assertThat(plain(foreign, pair.getFirst())).isEqualTo(plain(missing, pair.getLast()));
                }
            }
        }
        assertUntouched();
    }

    /// An administrator who says whose they are reads sessions of others; that is all.
    @ParameterizedTest
    @EnumSource(Route.class)
    void an_owner_in_the_query_helps_administrators_to_read_and_nobody_else(Route route) {
        var row = TABLE.get(route);
        if (row.about() == About.SESSION && route != Route.EVENTS) {
            var reads = row.needs().equals(Optional.of(Grant.READ_SESSIONS));
            asOwner(admin, route, anns).is(reads ? 200 : 404);
            asOwner(bob, route, anns).is(404);
        } else if (route == Route.LIST_SESSIONS || route == Route.SEARCH) {
            assertThat(asOwner(admin, route, "").is(200).body()).contains(anns);
            asOwner(bob, route, "").is(403);
        }
        assertUntouched();
    }

    private static void assertUntouched() {
        assertThat(version()).isEqualTo(events);
        assertThat(ann.get("/v1/sessions/" + anns).is(200).text("status")).isEqualTo("waiting");
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

    private static Client.Answer ask(Client client, Route route, String id) {
        return client.send(route.method(), path(route, id), body(route));
    }

    private static Client.Answer asOwner(Client client, Route route, String id) {
        var path = path(route, id);
        return client.send(route.method(), path + (path.contains("?") ? "&" : "?") + "owner=ann", body(route));
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
