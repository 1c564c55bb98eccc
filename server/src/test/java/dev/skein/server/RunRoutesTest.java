package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunRoutesTest {

    private static final int ROUNDS = Integer.getInteger("skein.rounds", 10);

    private TestServer server;
    private Client ann;

    @BeforeEach
    void start() {
        server = new TestServer();
        ann = server.client("ann");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void ten_prompts_at_once_in_one_session_follow_each_other_and_none_is_lost() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var id = ann.create("{}");
            var answers = new ArrayList<CompletableFuture<Client.Answer>>();
            for (int i = 0; i < 10; i++) {
                var prompt = "prompt " + i;
                answers.add(async(() -> say(id, prompt)));
            }
            var said = new HashSet<String>();
            for (var answer : answers) {
                said.add(answer.get(60, TimeUnit.SECONDS).is(200).text("final_message"));
            }

            assertThat(said)
                    .isEqualTo(new HashSet<>(IntStream.range(0, 10)
                            .mapToObj(i -> "You said: prompt " + i)
                            .toList()));
            var loops = ann.get("/v1/sessions/" + id + "/loops").json().path("loops");
            assertThat(loops).hasSize(10).allMatch(loop -> loop.path("on_path").booleanValue());
            assertThat(ann.get("/v1/sessions/" + id + "/messages").json().path("messages"))
                    .hasSize(20);
        }
    }

    @Test
    void twenty_sessions_run_at_once() throws Exception {
        var held = new ArrayList<CompletableFuture<Client.Answer>>();
        for (int i = 0; i < 20; i++) {
            var id = ann.create("{}");
            var gate = "gate" + i;
            held.add(async(() -> say(id, "hold " + gate)));
        }
        for (int i = 0; i < 20; i++) {
            server.model.awaitArrival("gate" + i);
        }

        assertThat(server.server.running()).isEqualTo(20);
        for (int i = 0; i < 20; i++) {
            server.model.open("gate" + i);
        }
        for (var answer : held) {
            assertThat(answer.get(60, TimeUnit.SECONDS).is(200).text("final_message"))
                    .isEqualTo("before after");
        }
    }

    @Test
    void who_waits_too_long_for_another_run_is_told_that_the_session_is_busy() throws Exception {
        try (var impatient = new TestServer(TestServer.OPTIONS, server.store, false, Duration.ofMillis(100))) {
            var id = ann.create("{}");
            var first = async(() -> say(id, "hold x"));
            server.model.awaitArrival("x");

            var second =
                    impatient.client("ann").post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"too early\"}");

            assertThat(second.is(423).code()).isEqualTo("session.locked");
            server.model.open("x");
            first.get(60, TimeUnit.SECONDS).is(200);
        }
    }

    @Test
    void a_run_is_cancelled_from_another_request_and_goes_on_with_continue() throws Exception {
        var id = ann.create("{}");
        var running = async(() -> say(id, "hold x"));
        server.model.awaitArrival("x");

        assertThat(ann.post("/v1/sessions/" + id + "/cancel", "{}")
                        .is(200)
                        .json()
                        .path("cancelled")
                        .asInt())
                .isEqualTo(1);

        var stopped = running.get(60, TimeUnit.SECONDS).is(200);
        assertThat(stopped.text("status")).isEqualTo("aborted");
        assertThat(stopped.text("reason")).contains("cancelled by request");
        assertThat(stopped.text("final_message")).isEqualTo("before ");
        server.model.open("x");
        var continued = ann.post("/v1/sessions/" + id + "/continue", "{}").is(200);
        assertThat(continued.text("status")).isEqualTo("completed");
        assertThat(ann.post("/v1/sessions/" + id + "/cancel", "{}")
                        .json()
                        .path("cancelled")
                        .asInt())
                .isZero();
        ann.post("/v1/sessions/" + id + "/continue", "{}").is(400);
    }

    @Test
    void a_run_that_takes_too_long_is_stopped_and_can_be_continued() {
        try (var hasty = new TestServer(TestServer.OPTIONS.withRequestTime(Duration.ofMillis(300)))) {
            var bob = hasty.client("bob");
            var id = bob.create("{}");

            var answer = bob.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"hold x\"}");

            assertThat(answer.is(504).code()).isEqualTo("request.timeout");
            assertThat(bob.get("/v1/sessions/" + id).text("status")).isEqualTo("aborted");
            try (var stream = bob.stream("/v1/sessions/" + id + "/regenerate", "{}")) {
                var last = stream.toEnd().getLast();
                assertThat(last.name()).isEqualTo("finished");
                assertThat(last.data().path("status").asString()).isEqualTo("aborted");
            }
        }
    }

    @Test
    void a_model_that_fails_is_a_bad_gateway_and_the_session_lives_on() {
        var id = ann.create("{}");

        assertThat(say(id, "fail").is(502).code()).isEqualTo("model.refused");
        try (var stream = ann.stream("/v1/sessions/" + id + "/completions", "{\"prompt\":\"fail\"}")) {
            var events = stream.toEnd();
            assertThat(events).extracting(Client.Event::name).containsExactly("started", "error");
            assertThat(events.getLast().data().path("code").asString()).isEqualTo("model.refused");
        }
        say(id, "hello").is(200);
    }

    @Test
    void a_failure_before_the_first_event_has_its_status_even_for_a_stream() {
        var id = ann.create("{}");

        try (var stream = ann.stream("/v1/sessions/" + id + "/continue", "{}")) {
            assertThat(stream.response.statusCode()).isEqualTo(400);
        }
        try (var stream = ann.stream("/v1/sessions/nowhere/completions", "{\"prompt\":\"x\"}")) {
            assertThat(stream.response.statusCode()).isEqualTo(404);
        }
    }

    @Test
    void one_shot_leaves_nothing_behind() {
        var answer = ann.post("/v1/completions", "{\"prompt\":\"look 1\",\"temperature\":0.5}")
                .is(200);

        assertThat(answer.text("final_message")).isEqualTo("done: look of 1");
        assertThat(ann.get("/v1/sessions").json().path("sessions")).isEmpty();
        ann.get("/v1/sessions/" + answer.text("session_id")).is(404);
        try (var stream = ann.stream("/v1/completions", "{\"prompt\":\"act 1\"}")) {
            assertThat(stream.toEnd().getLast().data().path("final_message").asString())
                    .contains("nobody can be asked here");
        }
    }

    @Test
    void regenerating_keeps_both_answers() {
        var id = ann.create("{}");
        say(id, "hello").is(200);

        ann.post("/v1/sessions/" + id + "/regenerate", "{}").is(200);

        assertThat(ann.get("/v1/sessions/" + id + "/loops").json().path("loops"))
                .hasSize(2);
        assertThat(ann.get("/v1/sessions/" + id + "/messages").json().path("messages"))
                .hasSize(2);
    }

    @Test
    void branches_run_side_by_side_and_one_is_chosen() {
        var id = ann.create("{}");
        var body = "{\"prompt\":\"hello\",\"branches\":[{\"temperature\":0},{\"temperature\":1}]}";

        var answer = ann.post("/v1/sessions/" + id + "/parallel", body).is(200);

        assertThat(answer.json().path("branches")).hasSize(2);
        assertThat(answer.json().path("selected").asInt()).isZero();
        try (var stream = ann.stream("/v1/sessions/" + id + "/parallel", body)) {
            var names = stream.toEnd().stream().map(Client.Event::name).toList();
            assertThat(names).containsSubsequence("finished", "finished", "info");
        }
        ann.post("/v1/sessions/" + id + "/parallel", "{\"prompt\":\"x\",\"branches\":[{}]}")
                .is(400);
    }

    @Test
    void a_conversation_is_compressed_and_shown_whole_again() {
        var id = ann.create("{}");
        for (int i = 0; i < 8; i++) {
            say(id, "prompt " + i).is(200);
        }

        var compressed = ann.post("/v1/sessions/" + id + "/compress", "{}").is(200);

        assertThat(compressed.json().path("compressed").booleanValue()).isTrue();
        ann.post("/v1/sessions/" + id + "/compress", "{\"remove\":\"" + compressed.text("block") + "\"}")
                .is(200);
        var empty = ann.create("{}");
        assertThat(ann.post("/v1/sessions/" + empty + "/compress", "{}")
                        .json()
                        .path("compressed")
                        .booleanValue())
                .isFalse();
    }

    @Test
    void a_call_that_needs_a_yes_waits_and_is_decided_over_http() {
        var id = ann.create("{}");
        var waiting = say(id, "both 1").is(200);
        assertThat(waiting.text("status")).isEqualTo("waiting");
        assertThat(waiting.json().path("tool_calls")).hasSize(1);

        var approvals =
                ann.get("/v1/sessions/" + id + "/approvals").is(200).json().path("approvals");
        assertThat(approvals).hasSize(1);
        var call = approvals.get(0).path("call").asString();
        say(id, "another").is(400);
        ann.post("/v1/sessions/" + id + "/approvals/nothing", "{\"approved\":true}")
                .is(400);
        ann.post("/v1/sessions/" + id + "/approvals/" + call, "{}").is(400);
        var decided = ann.post("/v1/sessions/" + id + "/approvals/" + call, "{\"approved\":true}")
                .is(200);
        assertThat(decided.json().path("waiting").asInt()).isZero();
        var done = ann.post("/v1/sessions/" + id + "/continue", "{}").is(200);

        assertThat(done.text("status")).isEqualTo("completed");
        assertThat(done.json().path("tool_calls")).hasSize(2);
        assertThat(done.text("loop_id")).isEqualTo(waiting.text("loop_id"));
    }

    @Test
    void files_come_with_the_prompt_and_no_others_are_read() {
        var id = ann.create("{}");
        var data = java.util.Base64.getEncoder().encodeToString("apples".getBytes(StandardCharsets.UTF_8));

        ann.post(
                        "/v1/sessions/" + id + "/completions",
                        "{\"prompt\":\"read\",\"files\":[{\"name\":\"a.txt\",\"data\":\"" + data + "\"}]}")
                .is(200);

        assertThat(ann.get("/v1/sessions/" + id + "/messages").body()).contains("File: a.txt\\n\\napples");
        for (var file : List.of("{\"path\":\"/etc/passwd\"}", "{\"url\":\"http://127.0.0.1/\"}", "{}", "7")) {
            ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"read\",\"files\":[" + file + "]}")
                    .is(400);
        }
    }

    private Client.Answer say(String id, String prompt) {
        return ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"" + prompt + "\"}");
    }

    private static <T> CompletableFuture<T> async(java.util.function.Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, Executors.newVirtualThreadPerTaskExecutor());
    }
}
