package dev.skein.engine;

import dev.skein.cancellation.Cancellation;
import dev.skein.live.CollectingEmitter;
import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.message.Message;
import dev.skein.session.Ids;
import dev.skein.session.LoopRecord;
import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.memory.MemorySessionStore;
import dev.skein.testkit.MutableClock;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/// An engine with one session, on which tests try things.
final class Bed {

    final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
    final Workings workings = Workings.of(clock, new Random(2), (_, _) -> {});
    final MemorySessionStore store = new MemorySessionStore(clock, new Ids(clock, new Random(1)));
    final SessionHandle session = store.create(NewSession.in(Scope.LOCAL));
    final Engine engine = new Engine(store, workings);
    final CollectingEmitter heard = new CollectingEmitter();
    final Cancellation cancellation = new Cancellation();
    final Steering steering = new Steering();
    RunOptions options = RunOptions.library();

    RunOutcome prompt(RunSettings settings, String text) {
        return run(settings, RunRequest.Prompt.text(text));
    }

    RunOutcome run(RunSettings settings, RunRequest request) {
        return engine.run(context(settings), request, heard);
    }

    RequestContext context(RunSettings settings) {
        return new RequestContext("r1", session, settings, options, steering, cancellation);
    }

    List<LiveEvent.Body> heard() {
        return heard.bodies();
    }

    /// What the model would see.
    List<String> texts() {
        return session.context(100).messages().stream().map(Message::text).toList();
    }

    LoopRecord head() {
        return session.load().path().getLast();
    }

    /// The durable events of the session after its opening, by their names.
    List<String> journal() {
        return session.read(2).stream()
                .map(entry -> entry.event().getClass().getSimpleName())
                .toList();
    }
}
