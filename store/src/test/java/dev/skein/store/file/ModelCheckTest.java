package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.Concurrent;
import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent.SessionDescribed;
import dev.skein.store.Batch;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.memory.MemorySessionStore;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/// A model checker tries the interleavings of three threads on the append path of the memory store.
class ModelCheckTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void compare_and_append_is_linearizable() {
        options().check(Sound.class);
    }

    /// That the check can fail.
    @Test
    void an_append_that_does_not_compare_is_found() {
        assertThatThrownBy(() -> options().check(Planted.class))
                .isInstanceOf(AssertionError.class)
                .satisfies(found -> assertThat(found.getMessage()).contains("Invalid execution results"));
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(Integer.getInteger("skein.models", 5))
                .invocationsPerIteration(100)
                .minimizeFailedScenario(false);
    }

    private static SessionHandle session() {
        var clock = Clock.fixed(AT, ZoneOffset.UTC);
        return new MemorySessionStore(clock, new Ids(clock, new Random(1))).create(NewSession.in(Scope.LOCAL));
    }

    private static List<SessionDescribed> event() {
        return List.of(new SessionDescribed(AT, "said"));
    }

    /// The real thing.
    @Param(name = "version", gen = IntGen.class, conf = "1:3")
    public static class Sound {
        private final SessionHandle handle = session();

        /// The new version, or the current one, negative, if it was another than expected.
        @Operation
        public long compareAndAppend(@Param(name = "version") int expected) {
            try (var guard = handle.lock(SessionHandle.WAIT_DEFAULT)) {
                return guard.append(Batch.at(expected, event())).last();
            } catch (Concurrent e) {
                return -e.current();
            }
        }

        @Operation
        public long version() {
            return handle.state().version();
        }
    }

    /// Tells the version it saw before as the one it built on.
    public static class Planted {
        private final SessionHandle handle = session();

        @Operation
        public long append() {
            var seen = handle.state().version();
            handle.append(event());
            return seen + 1;
        }
    }
}
