package dev.skein.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.session.Entry;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.AdoptingStore;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SessionHandle;
import dev.skein.store.file.FileSessionStore;
import dev.skein.store.file.StoreOptions;
import dev.skein.testkit.MutableClock;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/// Copies of a store that are cut off anywhere and made again.
class InterruptedCopyTest {

    private static final Scope SCOPE = Scope.LOCAL;
    private static final int STEPS_MAX = 100;

    /// In memory where there is such a thing: a sync costs nothing there.
    static final class Memory implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
                throws IOException {
            var memory = Path.of("/dev/shm");
            return Files.isWritable(memory)
                    ? Files.createTempDirectory(memory, "skein-test-")
                    : Files.createTempDirectory("skein-test-");
        }
    }

    @TempDir(factory = Memory.class)
    Path directory;

    private final MutableClock clock = new MutableClock(Instant.parse("2026-02-03T04:05:06.789Z"));
    private FileSessionStore source;

    @BeforeEach
    void open() {
        source = FileSessionStore.open(
                directory.resolve("source"), StoreOptions.standard().withClock(clock));
    }

    @AfterEach
    void close() {
        source.close();
    }

    @Test
    void a_copy_cut_off_at_any_step_and_made_again_is_as_one_that_was_not() {
        fill();
        var wanted = contentOf(source);
        var steps = 0;
        while (steps < STEPS_MAX && isCutOffAndTakenUp(steps, wanted)) {
            steps++;
        }

        assertThat(steps).as("steps, before and after each").isBetween(20, STEPS_MAX - 1);
    }

    /// Two forks of what was deleted, at different places; one of a fork that was deleted too; one of what is alive.
    private void fill() {
        var doomed = create("doomed", "a", "b", "c", "d", "e");
        fork(doomed, 3, "early");
        fork(doomed, 5, "late");
        var between = fork(doomed, 4, "between");
        fork(between, 6, "grandchild");
        var alive = create("alive", "x", "y");
        fork(alive, 2, "of-alive");
        source.delete(SCOPE, doomed);
        source.delete(SCOPE, between);
    }

    @Test
    void a_fork_that_could_not_be_copied_can_be_later() {
        var doomed = create("doomed", "a", "b");
        fork(doomed, 2, "first");
        var second = fork(doomed, 3, "second");
        source.delete(SCOPE, doomed);
        try (var target = FileSessionStore.open(directory.resolve("target"))) {
            var rival = target.create(NewSession.in(SCOPE).named("second"));

            var refused = new StoreCopy(source, target, _ -> {}).run();
            target.rename(SCOPE, rival.id(), new SessionAlias("third"));
            var copied = new StoreCopy(source, target, _ -> {}).run();

            assertThat(refused.problems()).singleElement().asString().contains(second.toString());
            assertThat(copied.problems()).isEmpty();
            assertThat(target.locate(SCOPE.owner(), second)).isPresent();
            assertThat(target.locate(SCOPE.owner(), doomed)).isEmpty();
        }
    }

    @Test
    void what_was_copied_before_it_was_deleted_stays_in_the_copy() {
        var parent = create("parent", "a");
        fork(parent, 2, "child");
        try (var target = FileSessionStore.open(directory.resolve("target"))) {
            new StoreCopy(source, target, _ -> {}).run();
            source.delete(SCOPE, parent);
            fork(source.resolve(SCOPE, new SessionAlias("child")).orElseThrow(), 2, "grandchild");

            assertThat(new StoreCopy(source, target, _ -> {}).run().problems()).isEmpty();
            assertThat(target.resolve(SCOPE, new SessionAlias("parent"))).contains(parent);
        }
    }

    @Test
    void what_came_back_from_the_trash_since_is_copied_whole() {
        var parent = create("parent", "a", "b");
        fork(parent, 2, "child");
        source.purge(PurgeQuery.keeping(SCOPE, 1));
        assertThat(source.locate(SCOPE.owner(), parent)).as("in the trash").isEmpty();
        var home = directory.resolve("target");
        try (var target = FileSessionStore.open(home)) {
            assertThatThrownBy(() -> new StoreCopy(source, cutOff(target, 5), _ -> {}).run())
                    .isInstanceOf(CutOff.class);
            assertThat(target.locate(SCOPE.owner(), parent)).as("the shade").isPresent();
            source.restore(SCOPE, parent);

            assertThat(new StoreCopy(source, target, _ -> {}).run().problems()).isEmpty();
            assertThat(contentOf(target)).isEqualTo(contentOf(source));
        }
    }

    private boolean isCutOffAndTakenUp(int step, Object wanted) {
        try (var target = FileSessionStore.open(directory.resolve("target-" + step))) {
            var cut = false;
            try {
                new StoreCopy(source, cutOff(target, step), _ -> {}).run();
            } catch (CutOff _) {
                cut = true;
            }
            assertThat(new StoreCopy(source, target, _ -> {}).run().problems())
                    .as("cut off at %d", step)
                    .isEmpty();
            assertThat(contentOf(target)).as("cut off at %d", step).isEqualTo(wanted);
            return cut;
        }
    }

    private SessionId create(String name, String... descriptions) {
        try (var made = source.create(NewSession.in(SCOPE).named(name))) {
            made.append(described(descriptions));
            return made.id();
        }
    }

    private SessionId fork(SessionId parent, long at, String name) {
        try (var made = source.fork(SCOPE, parent, at, NewSession.in(SCOPE).named(name))) {
            made.append(described(name));
            return made.id();
        }
    }

    private List<SessionEvent> described(String... descriptions) {
        clock.advance(Duration.ofSeconds(1));
        return Stream.of(descriptions)
                .<SessionEvent>map(text -> new SessionEvent.SessionDescribed(clock.instant(), text))
                .toList();
    }

    private record Content(@Nullable String name, List<Entry> entries) {}

    private static Map<SessionId, Content> contentOf(AdoptingStore store) {
        var content = new TreeMap<SessionId, Content>();
        for (var summary : store.list(ListQuery.of(SCOPE).withLimit(100)).sessions()) {
            try (var handle = store.open(SCOPE, summary.id())) {
                content.put(summary.id(), new Content(summary.alias(), handle.read(1)));
            }
        }
        return content;
    }

    private static final class CutOff extends RuntimeException {}

    /// The store, until so many of its changes; the last one is made or not, in turns.
    private static AdoptingStore cutOff(AdoptingStore store, int step) {
        return new Cut(step).around(AdoptingStore.class, store);
    }

    private static final class Cut {
        private static final Set<String> CHANGES = Set.of("adopt", "append", "rename", "delete");

        private int left;

        Cut(int step) {
            left = step;
        }

        <T> T around(Class<T> type, T real) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(),
                    new Class<?>[] {type},
                    (_, method, arguments) -> call(real, method, arguments)));
        }

        private @Nullable Object call(Object real, Method method, Object @Nullable [] arguments) throws Throwable {
            var changes = CHANGES.contains(method.getName());
            if (changes && left-- == 0) {
                throw new CutOff();
            }
            try {
                var result = method.invoke(real, arguments);
                if (changes && left-- == 0) {
                    throw new CutOff();
                }
                return result instanceof SessionHandle handle ? around(SessionHandle.class, handle) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }
}
