package dev.skein.tools.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.cancellation.Cancellation;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.client.McpToolInfo;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.config.ServerKey;
import dev.skein.tools.mcp.pool.McpCounters;
import dev.skein.tools.mcp.pool.McpFactory;
import dev.skein.tools.mcp.pool.McpLease;
import dev.skein.tools.mcp.pool.PoolTerms;
import dev.skein.tools.mcp.wire.McpFailure;
import dev.skein.tools.mcp.wire.WireJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Who shares a server with whom, and how long it lives.
class McpFactoryTest {

    private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

    @Test
    void fifty_sessions_over_three_configurations_start_three_servers() throws Exception {
        var servers = List.of(good("a"), good("b"), good("c"));
        try (var factory = factory(FIVE_MINUTES, 50);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var start = new CountDownLatch(1);
            var sessions = new ArrayList<Future<String>>();
            for (int i = 0; i < 50; i++) {
                var server = servers.get(i % 3);
                sessions.add(threads.submit(() -> {
                    start.await();
                    try (var lease = acquire(factory, server)) {
                        return call(lease);
                    }
                }));
            }

            start.countDown();

            for (var session : sessions) {
                assertThat(session.get()).isEqualTo("fine");
            }
            assertThat(factory.counters().spawned()).isEqualTo(3);
            assertThat(running()).isEqualTo(3);
        }
        assertThat(running()).isZero();
    }

    @Test
    void two_tokens_never_share_a_server_however_many_come_at_once() throws Exception {
        var mine = Servers.hostile("github", "good", directory, Map.of("TOKEN", "mine"));
        var yours = Servers.hostile("github", "good", directory, Map.of("TOKEN", "yours"));
        try (var factory = factory(FIVE_MINUTES, 50);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var start = new CountDownLatch(1);
            var clients = new ArrayList<Future<McpClient>>();
            for (int i = 0; i < 20; i++) {
                var server = i % 2 == 0 ? mine : yours;
                clients.add(threads.submit(() -> {
                    start.await();
                    try (var lease = acquire(factory, server)) {
                        assertThat(call(lease)).isEqualTo("fine");
                        return lease.client();
                    }
                }));
            }

            start.countDown();

            var got = List.of(new HashSet<McpClient>(), new HashSet<McpClient>());
            for (int i = 0; i < clients.size(); i++) {
                got.get(i % 2).add(clients.get(i).get());
            }
            assertThat(got.getFirst())
                    .singleElement()
                    .isNotSameAs(got.getLast().iterator().next());
            assertThat(got.getLast()).hasSize(1);
            assertThat(running()).isEqualTo(2);
        }
    }

    @Test
    void a_key_tells_every_difference_and_no_value() {
        var reach = new McpServer.Reach.Child("run", List.of("a", "b"), Map.of("K", "secret"), null);
        var key = ServerKey.of(McpServer.of("s", reach));

        assertThat(List.of(
                        new McpServer.Reach.Child("run", List.of("ab"), Map.of("K", "secret"), null),
                        new McpServer.Reach.Child("run", List.of("a", "b", "K", "secret"), Map.of(), null),
                        new McpServer.Reach.Child("run", List.of("a", "b"), Map.of("K", "other"), null),
                        new McpServer.Reach.Child("walk", List.of("a", "b"), Map.of("K", "secret"), null),
                        new McpServer.Reach.Child("run", List.of("a", "b"), Map.of("K", "secret"), Path.of("/"))))
                .extracting(other -> ServerKey.of(McpServer.of("s", other)))
                .doesNotContain(key)
                .doesNotHaveDuplicates();
        assertThat(ServerKey.of(McpServer.of("t", reach))).isNotEqualTo(key);
        assertThat(ServerKey.of(McpServer.of("s", reach))).isEqualTo(key);
        assertThat(key.toString()).doesNotContain("secret");
    }

    @Test
    void what_nobody_uses_is_kept_for_a_while_revived_and_then_ended() throws Exception {
        try (var factory = factory(FIVE_MINUTES, 50)) {
            var first = acquire(factory, good("a"));
            var client = first.client();
            first.close();
            first.close();

            now.updateAndGet(then -> then.plus(FIVE_MINUTES).minusSeconds(1));
            factory.reap();
            try (var second = acquire(factory, good("a"))) {
                assertThat(second.client()).isSameAs(client);
            }
            assertThat(factory.counters())
                    .extracting(McpCounters::spawned, McpCounters::revived, McpCounters::idle)
                    .containsExactly(1L, 1L, 1);

            now.updateAndGet(then -> then.plus(FIVE_MINUTES));
            factory.reap();
            assertThat(factory.counters().idle()).isZero();
            assertThat(factory.counters().evicted()).isEqualTo(1);
            Servers.await("the end", () -> running() == 0);
        }
    }

    @Test
    void without_an_idle_time_a_server_ends_with_its_last_holder() throws Exception {
        try (var factory = factory(Duration.ZERO, 50)) {
            var one = acquire(factory, good("a"));
            var two = acquire(factory, good("a"));
            one.close();
            assertThat(call(two)).isEqualTo("fine");

            two.close();

            assertThat(running()).isZero();
            assertThat(factory.counters().servers()).isEmpty();
        }
    }

    @Test
    void a_server_can_have_an_idle_time_of_its_own() throws Exception {
        try (var factory = factory(Duration.ZERO, 50)) {
            acquire(factory, good("a").withIdle(FIVE_MINUTES)).close();

            assertThat(factory.counters().idle()).isEqualTo(1);
        }
    }

    @Test
    void of_too_many_idle_servers_the_one_used_longest_ago_goes() throws Exception {
        try (var factory = factory(FIVE_MINUTES, 2)) {
            for (var name : List.of("a", "b", "c")) {
                acquire(factory, good(name)).close();
                now.updateAndGet(then -> then.plusSeconds(1));
            }

            assertThat(factory.counters().servers())
                    .extracting(McpCounters.Running::name)
                    .containsExactly("b", "c");
        }
    }

    @Test
    void a_server_that_died_is_replaced_for_whoever_comes_next() throws Exception {
        var server = Servers.hostile("dies", directory);
        try (var factory = factory(FIVE_MINUTES, 50);
                var broken = acquire(factory, server)) {
            assertThatThrownBy(() -> call(broken, "dies")).isInstanceOf(McpFailure.class);

            try (var fresh = acquire(factory, server)) {
                assertThat(fresh.client()).isNotSameAs(broken.client());
                assertThat(call(fresh)).isEqualTo("fine");
            }
            assertThat(factory.counters().broken()).isEqualTo(1);
        }
        assertThat(running()).isZero();
    }

    @Test
    void an_idle_server_that_is_not_well_is_not_revived() throws Exception {
        var server = Servers.hostile("dies", directory);
        try (var factory = factory(FIVE_MINUTES, 50)) {
            var lease = acquire(factory, server);
            var client = lease.client();
            lease.close();
            client.close();

            try (var fresh = acquire(factory, server)) {
                assertThat(call(fresh)).isEqualTo("fine");
            }
            assertThat(factory.counters().spawned()).isEqualTo(2);
        }
    }

    @Test
    void all_who_wait_for_a_server_that_does_not_come_up_learn_why() throws Exception {
        var server = Servers.hostile("exits", directory);
        try (var factory = factory(FIVE_MINUTES, 50);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = new ArrayList<Future<McpLease>>();
            for (int i = 0; i < 5; i++) {
                waiting.add(threads.submit(() -> acquire(factory, server)));
            }

            for (var one : waiting) {
                assertThatThrownBy(one::get)
                        .isInstanceOf(ExecutionException.class)
                        .hasMessageContaining("no license found");
            }
            assertThat(factory.counters().servers()).isEmpty();
        }
    }

    @Test
    void whoever_waits_is_served_when_the_one_who_started_it_went_away() throws Exception {
        var server = good("a");
        try (var factory = factory(FIVE_MINUTES, 50);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var cancellation = new Cancellation();
            var first = threads.submit(() -> factory.acquire(server, cancellation));
            Servers.await("the start", () -> factory.counters().starting() == 1);
            var second = threads.submit(() -> acquire(factory, server));

            cancellation.cancel("not needed");

            try (var lease = second.get()) {
                assertThat(call(lease)).isEqualTo("fine");
            }
            try {
                first.get().close();
            } catch (ExecutionException e) {
                assertThat(e).hasMessageContaining("not needed");
            }
        }
    }

    @Test
    void a_changed_configuration_disturbs_nobody_who_holds_a_server() throws Exception {
        var old = good("a");
        try (var factory = factory(FIVE_MINUTES, 50)) {
            acquire(factory, good("gone")).close();
            var held = acquire(factory, old);

            factory.reload(List.of(good("b")));

            assertThat(call(held)).isEqualTo("fine");
            assertThat(factory.counters().servers())
                    .extracting(McpCounters.Running::name)
                    .containsExactly("a");
            try (var fresh = acquire(factory, old)) {
                assertThat(fresh.client()).isNotSameAs(held.client());
            }
            held.close();
            assertThat(held.client().ended()).isPresent();
        }
    }

    @Test
    void closing_waits_for_holders_and_then_ends_all() throws Exception {
        var factory = new McpFactory(
                Servers.terms(directory),
                new PoolTerms(FIVE_MINUTES, 50, Duration.ofHours(1), Duration.ofSeconds(20), Duration.ofMillis(200)),
                now::get);
        var kept = acquire(factory, good("a"));
        acquire(factory, good("b")).close();

        factory.close();

        assertThat(kept.client().ended()).isPresent();
        assertThat(running()).isZero();
        assertThatThrownBy(() -> acquire(factory, good("c")))
                .isInstanceOf(McpFailure.class)
                .hasMessageContaining("all is ending");
        kept.close();
    }

    @Test
    void closing_ends_when_the_last_holder_lets_go() throws Exception {
        var factory = factory(FIVE_MINUTES, 50);
        var lease = acquire(factory, good("a"));
        var closing = CompletableFuture.runAsync(factory::close);

        assertThat(call(lease)).isEqualTo("fine");
        lease.close();

        closing.get();
        assertThat(running()).isZero();
    }

    private McpServer good(String name) {
        return Servers.hostile(name, "good", directory, Map.of());
    }

    private McpFactory factory(Duration idle, int idleMax) {
        return new McpFactory(
                Servers.terms(directory),
                new PoolTerms(idle, idleMax, Duration.ofHours(1), Duration.ofSeconds(20), Duration.ofSeconds(40)),
                now::get);
    }

    private static McpLease acquire(McpFactory factory, McpServer server) throws InterruptedException {
        return factory.acquire(server, new Cancellation());
    }

    private static String call(McpLease lease) throws InterruptedException {
        return call(lease, "good");
    }

    private static String call(McpLease lease, String name) throws InterruptedException {
        McpToolInfo tool = lease.client().tools(new Cancellation()).tools().stream()
                .filter(info -> info.name().equals(name))
                .findFirst()
                .orElseThrow();
        return lease.client()
                .call(tool, WireJson.object(), _ -> {}, new Cancellation())
                .path("content")
                .path(0)
                .path("text")
                .asString("");
    }

    private long running() {
        assertThat(Files.isDirectory(directory)).isTrue();
        return Servers.running(directory.toString());
    }
}
