package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.server.Client.Event;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A client that lost its stream comes again with the id of the last event it knows, and misses nothing.
class ReconnectTest {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private TestServer server;
    private Client ann;
    private String id;

    @BeforeEach
    void start() {
        server = new TestServer();
        ann = server.client("ann");
        id = ann.create("{}");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void cut_after_any_event_of_a_finished_run_the_rest_comes_from_the_journal() {
        var whole = run("look 1");

        for (int cut = 0; cut < whole.size(); cut++) {
            var joined = new ArrayList<>(whole.subList(0, cut + 1));
            try (var again = ann.follow(id, whole.get(cut).id())) {
                if (cut < whole.size() - 1) {
                    joined.addAll(again.untilNamed("finished"));
                }
            }
            assertThat(durable(joined)).as("cut after " + cut).isEqualTo(durable(whole));
            assertInOrder(joined);
        }
    }

    @Test
    void cut_after_any_event_of_a_run_that_speaks_the_rest_of_its_words_comes_at_once() throws Exception {
        var running = async(() -> run("hold x"));
        server.model.awaitArrival("x");
        List<Event> sofar;
        try (var tail = ann.follow(id)) {
            sofar = tail.untilNamed("assistant_delta");
        }
        var tails = new ArrayList<Client.Events>();
        var heard = new ArrayList<List<Event>>();
        for (int cut = 0; cut < sofar.size(); cut++) {
            var tail = ann.follow(id, sofar.get(cut).id());
            tails.add(tail);
            heard.add(new ArrayList<>(sofar.subList(0, cut + 1)));
            if (cut < sofar.size() - 1) {
                heard.getLast().addAll(tail.untilNamed("assistant_delta"));
            }
        }
        server.model.open("x");

        var whole = running.get(60, TimeUnit.SECONDS);
        for (int cut = 0; cut < tails.size(); cut++) {
            var joined = heard.get(cut);
            try (var tail = tails.get(cut)) {
                joined.addAll(tail.untilNamed("finished"));
            }
            assertThat(words(joined)).isEqualTo("before after");
            assertThat(durable(joined)).isEqualTo(durable(whole));
            assertInOrder(joined);
        }
    }

    @Test
    void readers_that_are_cut_at_random_while_runs_go_on_hear_everything_once() throws Exception {
        var seed = Long.getLong("skein.seed", 20261116L);
        var prompts = List.of("count 200", "look 1", "count 50", "hello you", "look 2", "count 300");
        var readers = new ArrayList<CompletableFuture<List<Event>>>();
        for (int reader = 0; reader < 6; reader++) {
            var random = TestServer.random(seed + reader);
            readers.add(async(() -> readWithCuts(random, prompts.size())));
        }
        for (var prompt : prompts) {
            run(prompt);
        }

        List<Event> told;
        try (var tail = ann.follow(id)) {
            told = readFinished(tail, prompts.size());
        }
        for (var reader : readers) {
            var joined = reader.get(60, TimeUnit.SECONDS);
            assertThat(durable(joined)).as("seed " + seed).isEqualTo(durable(told));
            assertInOrder(joined);
        }
    }

    private List<Event> readWithCuts(java.util.Random random, int runs) {
        var joined = new ArrayList<Event>();
        var finished = 0;
        while (finished < runs) {
            try (var tail = joined.isEmpty()
                    ? ann.follow(id)
                    : ann.follow(id, joined.getLast().id())) {
                for (int left = 1 + random.nextInt(40); left > 0 && finished < runs; left--) {
                    var event = tail.next();
                    joined.add(event);
                    if (event.name().equals("finished")) {
                        finished++;
                    }
                }
            }
        }
        return joined;
    }

    private static List<Event> readFinished(Client.Events tail, int runs) {
        var all = new ArrayList<Event>();
        for (int i = 0; i < runs; i++) {
            all.addAll(tail.untilNamed("finished"));
        }
        return all;
    }

    @Test
    void a_run_that_waited_for_a_person_is_told_again_as_it_was_told() {
        List<Event> live;
        try (var tail = ann.follow(id)) {
            ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"both 1\"}")
                    .is(200);
            var first = tail.untilNamed("finished");
            assertThat(first.getLast().data().path("status").asString()).isEqualTo("waiting");
            ann.post("/v1/sessions/" + id + "/approvals/call-act-1", "{\"approved\":true}")
                    .is(200);
            ann.post("/v1/sessions/" + id + "/continue", "{}").is(200);
            live = new ArrayList<>(first);
            live.addAll(tail.untilNamed("finished"));
        }

        try (var again = ann.follow(id)) {
            var told = readFinished(again, 2);
            assertThat(withoutWords(told)).isEqualTo(withoutWords(live));
        }
        for (var known : withoutWords(live).subList(0, withoutWords(live).size() - 1)) {
            try (var again = ann.follow(id, known.id())) {
                var rest = again.until(event -> event.equals(live.getLast()));
                var all = withoutWords(live);
                assertThat(withoutWords(rest)).isEqualTo(all.subList(all.indexOf(known) + 1, all.size()));
            }
        }
    }

    @Test
    void a_session_that_waits_says_so_to_whoever_comes_later() {
        ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"act 1\"}")
                .is(200);

        try (var tail = ann.follow(id)) {
            var told = tail.untilNamed("finished");
            assertThat(told.getLast().data().path("status").asString()).isEqualTo("waiting");
            assertThat(told).extracting(Event::name).contains("approval_required");
        }
    }

    @Test
    void runs_of_another_process_are_heard_too() {
        try (var other = new TestServer(TestServer.OPTIONS, server.store, false, Duration.ofSeconds(30));
                var tail = ann.follow(id)) {
            other.client("ann")
                    .post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"act 1\"}")
                    .is(200);

            var told = tail.untilNamed("finished");
            assertThat(told).extracting(Event::name).contains("started", "approval_required");
            assertThat(told.getLast().data().path("status").asString()).isEqualTo("waiting");
        }
    }

    @Test
    void an_id_that_is_none_or_beyond_the_session_is_refused() {
        for (var wrong : List.of("x", "-1", "1.2.3", "1.", "99999999999999999999", "12\t", "1;2", "999")) {
            ann.with("Last-Event-ID", wrong)
                    .get("/v1/sessions/" + id + "/events")
                    .is(400);
        }
    }

    @Test
    void a_client_that_goes_away_stops_its_run_unless_it_said_otherwise() throws Exception {
        try (var stream = ann.stream("/v1/sessions/" + id + "/completions", "{\"prompt\":\"hold x\"}")) {
            stream.untilNamed("assistant_delta");
        }
        await(() -> ann.get("/v1/sessions/" + id).text("status").equals("aborted"));

        var other = ann.create("{}");
        try (var stream = ann.stream(
                "/v1/sessions/" + other + "/completions", "{\"prompt\":\"hold y\",\"on_disconnect\":\"continue\"}")) {
            stream.untilNamed("assistant_delta");
        }
        await(() -> server.server.followed() == 1);
        server.model.open("y");
        await(() -> ann.get("/v1/sessions/" + other).text("status").equals("idle"));
        assertThat(ann.get("/v1/sessions/" + other + "/messages").body()).contains("before after");
    }

    @Test
    void a_reader_that_takes_nothing_neither_slows_the_run_nor_stays() throws Exception {
        var prompt = "{\"prompt\":\"count 400000\",\"stream\":true,\"on_disconnect\":\"continue\"}";
        try (var socket = raw("POST", "/v1/sessions/" + id + "/completions", prompt)) {
            await(() -> ann.get("/v1/sessions/" + id).text("status").equals("idle")
                    && ann.get("/v1/sessions/" + id).json().path("loop_count").asInt() == 1);
            await(() -> server.server.followed() == 0);
            assertThat(socket.isClosed()).isFalse();
        }
        assertThat(ann.get("/v1/sessions/" + id + "/messages").body()).contains(" 400000 ");
    }

    @Test
    void a_reader_that_is_too_slow_is_told_where_to_go_on() throws Exception {
        try (var small = new TestServer(TestServer.OPTIONS.withBuffer(4, 1_000))) {
            var bob = small.client("bob");
            var session = bob.create("{}");
            var told = new ArrayList<Event>();
            try (var stream = bob.stream("/v1/sessions/" + session + "/completions", "{\"prompt\":\"count 200000\"}")) {
                told.addAll(stream.toEnd());
            }
            var last = told.removeLast();
            assertThat(last.name()).isEqualTo("error");
            assertThat(last.id()).isNull();
            assertThat(last.data().path("code").asString()).isEqualTo("stream.too_slow");
            assertThat(last.data().path("message").asString()).contains("Last-Event-ID");
            await(() -> bob.get("/v1/sessions/" + session).text("status").equals("idle"));

            // The first words may have been too fast already.
            var known = told.isEmpty() ? "0" : told.getLast().id();
            try (var again = bob.follow(session, known)) {
                told.addAll(again.untilNamed("finished"));
            }
            assertThat(told.getLast().data().path("status").asString()).isEqualTo("completed");
        }
    }

    @Test
    void nothing_is_left_of_streams_that_are_over() throws Exception {
        for (int i = 0; i < 5; i++) {
            try (var tail = ann.follow(id)) {
                assertThat(tail.response.statusCode()).isEqualTo(200);
            }
        }
        await(() -> server.server.followed() == 0);
        ann.send("DELETE", "/v1/sessions/" + id, null).is(204);
    }

    @Test
    void who_follows_a_session_hears_that_it_was_deleted() {
        try (var tail = ann.follow(id)) {
            ann.send("DELETE", "/v1/sessions/" + id, null).is(204);

            var last = tail.toEnd().getLast();
            assertThat(last.name()).isEqualTo("error");
            assertThat(last.data().path("code").asString()).isEqualTo("session.not_found");
        }
    }

    private List<Event> run(String prompt) {
        try (var stream = ann.stream("/v1/sessions/" + id + "/completions", "{\"prompt\":\"" + prompt + "\"}")) {
            return stream.toEnd();
        }
    }

    private Socket raw(String method, String path, String body) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port());
        var request = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ann\r\n"
                + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private static List<Event> durable(List<Event> events) {
        return events.stream().filter(event -> !event.id().contains(".")).toList();
    }

    private static List<Event> withoutWords(List<Event> events) {
        return events.stream().filter(event -> !event.name().endsWith("_delta")).toList();
    }

    private static String words(List<Event> events) {
        var words = new StringBuilder();
        events.stream()
                .filter(event -> event.name().equals("assistant_delta"))
                .forEach(event -> words.append(event.text()));
        return words.toString();
    }

    /// Every id is larger than the one before: nothing twice, nothing out of order.
    private static void assertInOrder(List<Event> events) {
        double[] last = {0, 0};
        for (var event : events) {
            var parts = event.id().split("\\.");
            var seq = Long.parseLong(parts[0]);
            var sub = parts.length == 1 ? 0 : Long.parseLong(parts[1]);
            assertThat(seq > last[0] || (seq == last[0] && sub > last[1]))
                    .as(event.id() + " after " + (long) last[0] + "." + (long) last[1])
                    .isTrue();
            last[0] = seq;
            last[1] = sub;
        }
    }

    private static void await(BooleanSupplier condition) {
        var deadline = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static <T> CompletableFuture<T> async(java.util.function.Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, Executors.newVirtualThreadPerTaskExecutor());
    }
}
