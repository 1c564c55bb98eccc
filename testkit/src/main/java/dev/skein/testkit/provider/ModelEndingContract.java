package dev.skein.testkit.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.failure.ModelFailed;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.wire.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The promises of [dev.skein.model.Model] about calls that do not end with a reply: cancelled at any time, failed in
/// any way. Part of [ModelContract].
@Timeout(60)
public abstract class ModelEndingContract extends ModelFixture {

    // Promise 3: cancellable at any time.

    @Test
    void a_call_that_is_cancelled_already_is_not_made() {
        var cancellation = new Cancellation();
        cancellation.cancel("enough");

        assertThatExceptionOfType(Cancelled.class).isThrownBy(() -> ask(request(user("hi")), cancellation));
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void a_call_can_be_cancelled_before_the_answer_begins() throws Exception {
        var gate = new Gate();
        server.script(new Answer.Held(gate, Answer.says("too late")));

        requireCancelled(gate);

        assertThat(fragments).isEmpty();
        gate.open();
    }

    @Test
    void a_call_can_be_cancelled_before_the_first_word() throws Exception {
        var gate = new Gate();
        server.script(Answer.reply(new Step.WaitAt(gate), new Step.Say("too late")));

        requireCancelled(gate);

        assertThat(fragments).isEmpty();
        gate.open();
    }

    @Test
    void a_call_can_be_cancelled_between_two_words_and_the_provider_notices() throws Exception {
        var gate = new Gate();
        var noticed = new Gate();
        var cancellation = new Cancellation();
        var heard = new CountDownLatch(1);
        server.script(Answer.reply(new Step.Say("one"), new Step.WaitAt(gate), new Step.UntilHangUp(noticed)));
        var answer =
                start(() -> model(server.baseUrl()).reply(request(user("hi")), _ -> heard.countDown(), cancellation));
        gate.awaitArrival();
        heard.await();

        cancellation.cancel("enough");

        requireCancelled(answer);
        gate.open();
        noticed.awaitOpening();
    }

    @Test
    void nothing_is_handed_over_after_the_listener_itself_cancels() {
        var cancellation = new Cancellation();
        server.script(Answer.says("one", "two", "three"));

        assertThatExceptionOfType(Cancelled.class)
                .isThrownBy(() -> model(server.baseUrl())
                        .reply(
                                request(user("count")),
                                fragment -> {
                                    fragments.add(fragment);
                                    cancellation.cancel("one is enough");
                                },
                                cancellation));
        assertThat(fragments).hasSize(1);
    }

    @Test
    void an_interrupted_thread_gets_its_call_cancelled() throws Exception {
        var gate = new Gate();
        server.script(new Answer.Held(gate, Answer.says("too late")));
        var outcome = new CompletableFuture<Throwable>();
        var caller = Thread.startVirtualThread(() ->
                outcome.complete(catchThrowableOfType(Throwable.class, () -> ask(request(user("hi"))))));
        gate.awaitArrival();

        caller.interrupt();

        assertThat(outcome.get()).isInstanceOf(Cancelled.class);
        gate.open();
    }

    @Test
    void what_the_listener_throws_comes_back_to_the_caller() {
        server.script(Answer.says("one", "two"));

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> model(server.baseUrl())
                        .reply(
                                request(user("hi")),
                                fragment -> {
                                    fragments.add(fragment);
                                    throw new IllegalStateException("the screen is gone");
                                },
                                new Cancellation()))
                .withMessage("the screen is gone");
        assertThat(fragments).hasSize(1);
    }

    // Promise 4: failures are typed.

    @Test
    void a_busy_provider_may_be_tried_again_when_it_says() {
        var failed = failure(new Answer.Status(429, "{\"error\": \"slow down\"}", Map.of("Retry-After", "7")));

        assertThat(failed.isTransient()).isTrue();
        assertThat(failed.retryAfter()).contains(Duration.ofSeconds(7));
        assertThat(failed).hasMessageContaining("slow down");
    }

    @Test
    void a_provider_in_trouble_may_be_tried_again() {
        for (var status : List.of(408, 500, 502, 503, 504, 529)) {
            assertThat(failure(Answer.status(status, "oops")).isTransient())
                    .as("status " + status)
                    .isTrue();
        }
    }

    @Test
    void a_request_that_is_refused_is_not_tried_again() {
        for (var status : List.of(400, 401, 403, 404, 413, 422)) {
            assertThat(failure(Answer.status(status, "no")).isTransient())
                    .as("status " + status)
                    .isFalse();
        }
    }

    @Test
    void a_request_that_makes_no_sense_is_refused_before_it_is_sent() {
        var lost = new Part.Image(null, null, "no address at all", null);

        assertThat(requireFailure(request()).isTransient()).isFalse();
        assertThat(requireFailure(request(message(Role.USER, lost))).isTransient())
                .isFalse();
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void a_redirect_is_not_followed() {
        var failed = failure(new Answer.Status(307, "", Map.of("Location", "http://127.0.0.1:1/")));

        assertThat(failed.isTransient()).isFalse();
    }

    @Test
    void a_connection_that_breaks_in_the_middle_is_a_failure_that_may_pass() {
        assertThat(failure(Answer.reply(new Step.Say("half a"), new Step.Cut())).isTransient())
                .isTrue();
    }

    @Test
    void a_stream_that_ends_too_early_is_not_taken_for_a_reply() {
        assertThat(failure(Answer.reply(new Step.Say("half a"), new Step.EndEarly()))
                        .isTransient())
                .isTrue();
    }

    @Test
    void an_event_that_cannot_be_read_is_a_failure_and_nothing_after_it_is_heard() {
        for (var garbage : List.of("{\"choices\": [{\"del", "<html>", "{]", "\"a text\"")) {
            fragments.clear();
            var event = "event: content_block_delta\ndata: " + garbage + "\n\n";
            var failed = failure(Answer.reply(new Step.Say("one"), new Step.Raw(event), new Step.Say("two")));

            assertThat(failed.isTransient()).as(garbage).isTrue();
            assertThat(spokenText()).as(garbage).isEqualTo("one");
        }
    }

    @Test
    void comments_and_empty_lines_in_a_stream_mean_nothing() {
        var noise = new Step.Raw(": ping\n\n\n\n: ping\r\n\r\n");

        assertThat(ask(Answer.reply(noise, new Step.Say("a"), noise, new Step.Say("b")), user("hi"))
                        .parts())
                .containsExactly(new Part.Text("ab"));
    }

    @Test
    void an_error_in_the_middle_of_a_stream_says_whether_it_may_pass() {
        for (var isTransient : List.of(true, false)) {
            var failed = failure(Answer.reply(new Step.Say("one"), new Step.Fail(isTransient), new Step.Say("two")));

            assertThat(failed.isTransient()).isEqualTo(isTransient);
            assertThat(failed).hasMessageContaining("something happened");
        }
    }

    @Test
    void a_provider_out_of_reach_may_be_tried_again() {
        server.close();

        assertThat(failure(Answer.says("unheard")).isTransient()).isTrue();
    }

    @Test
    void a_key_that_the_provider_repeats_is_not_passed_on() {
        var failed = failure(Answer.status(401, "wrong key: " + KEY));

        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            assertThat(String.valueOf(cause.getMessage())).doesNotContain(KEY);
        }
    }

    @Test
    void neither_the_model_nor_its_snapshot_shows_the_key() {
        var model = model(server.baseUrl());

        assertThat(model.toString()).doesNotContain(KEY);
        assertThat(Json.MAPPER.writeValueAsString(model.snapshot(Sampling.DEFAULT)))
                .doesNotContain(KEY);
    }

    private ModelFailed failure(Answer answer) {
        server.script(answer);
        return requireFailure(request(user("hi")));
    }

    private ModelFailed requireFailure(ModelRequest request) {
        var failed = catchThrowableOfType(ModelFailed.class, () -> ask(request));
        assertThat(failed).isNotNull();
        return failed;
    }

    /// Waits until the server stands at the gate, cancels, and requires that the call ends so.
    private void requireCancelled(Gate gate) throws InterruptedException {
        var cancellation = new Cancellation();
        var answer = start(() -> ask(request(user("hi")), cancellation));
        gate.awaitArrival();

        cancellation.cancel("enough");

        requireCancelled(answer);
    }

    private static void requireCancelled(CompletableFuture<?> answer) {
        assertThat(answer)
                .failsWithin(Duration.ofSeconds(2))
                .withThrowableThat()
                .withCauseInstanceOf(Cancelled.class);
    }
}
