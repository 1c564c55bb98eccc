package dev.skein.testkit.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.testkit.provider.Answer.Step;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The promises of [dev.skein.model.Model] about calls that are cancelled, at any time. Part of [ModelContract].
@Timeout(180)
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
    void a_call_can_be_cancelled_before_the_answer_begins_and_the_provider_notices() throws Exception {
        var gate = new Gate();
        var noticed = new Gate();
        server.script(new Answer.Held(gate, Answer.reply(new Step.UntilHangUp(noticed))));

        requireCancelled(gate);

        assertThat(fragments).isEmpty();
        gate.open();
        noticed.awaitOpening();
    }

    @Test
    void a_call_can_be_cancelled_before_the_first_word_and_the_provider_notices() throws Exception {
        var gate = new Gate();
        var noticed = new Gate();
        server.script(Answer.reply(new Step.WaitAt(gate), new Step.UntilHangUp(noticed)));

        requireCancelled(gate);

        assertThat(fragments).isEmpty();
        gate.open();
        noticed.awaitOpening();
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
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableThat()
                .withCauseInstanceOf(Cancelled.class);
    }
}
