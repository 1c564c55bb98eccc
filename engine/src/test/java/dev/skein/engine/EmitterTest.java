package dev.skein.engine;

import static dev.skein.testkit.ScriptedModel.asks;
import static dev.skein.testkit.ScriptedModel.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.live.Emitter;
import dev.skein.session.Entry;
import dev.skein.session.SessionEvent;
import dev.skein.testkit.ScriptedModel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Who listens, and how, makes no difference to what is kept. Ids and times come from equal seeds and clocks, so whole
/// journals are compared.
class EmitterTest {

    private static final RunSettings SETTINGS = RunSettings.of(ScriptedModel.ofLines(List.of(
                    List.of(says("Let me "), says("look."), asks("read", "a"), asks("read", "b")),
                    List.of(says("All done.")))))
            .withTools(TestTool.answering("read"))
            .withToolOrder(new ToolOrder.Sequential());

    @Test
    void the_journal_of_a_run_whose_listener_fails_is_that_of_one_without() {
        var times = new AtomicInteger();
        for (var after : List.of(0, 1, 4, 9)) {
            times.set(0);

            var journal = journal(_ -> {
                if (times.getAndIncrement() >= after) {
                    throw new IllegalStateException("the window was closed");
                }
            });

            assertThat(journal).isEqualTo(journal(Emitter.NONE));
            assertThat(times.get()).as("it is not called again after it failed").isEqualTo(after + 1);
        }
    }

    @Test
    void the_journal_of_a_run_whose_listener_is_slow_is_that_of_one_without() throws Exception {
        var bed = new Bed();
        var heard = new CountDownLatch(1);
        var letGo = new CountDownLatch(1);
        Emitter slow = _ -> {
            heard.countDown();
            await(letGo);
        };

        var running = CompletableFuture.supplyAsync(() -> journal(bed, slow), Thread::startVirtualThread);
        await(heard);
        assertThat(bed.journal()).as("what is told is kept already").startsWith("LoopStarted", "MessageEnded");
        assertThat(running).isNotDone();
        letGo.countDown();

        assertThat(running.get(30, TimeUnit.SECONDS)).isEqualTo(journal(Emitter.NONE));
    }

    private static List<SessionEvent> journal(Emitter emitter) {
        return journal(new Bed(), emitter);
    }

    private static List<SessionEvent> journal(Bed bed, Emitter emitter) {
        bed.engine.run(bed.context(SETTINGS), RunRequest.Prompt.text("Go."), emitter);
        return bed.session.read(2).stream().map(Entry::event).toList();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
