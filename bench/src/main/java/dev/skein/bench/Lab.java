package dev.skein.bench;

import dev.skein.session.Exchange;
import dev.skein.session.Ids;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopPointer;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.Batch;
import dev.skein.store.NewSession;
import dev.skein.store.SessionGuard;
import dev.skein.store.SessionHandle;
import dev.skein.store.file.Durability;
import dev.skein.store.file.FileSessionStore;
import dev.skein.store.file.StoreOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A directory on the disk that is measured, and the sessions that stand in it.
final class Lab implements AutoCloseable {

    static final Scope SCOPE = Scope.ofOwner(Scope.LOCAL_OWNER);

    /// Characters in each message.
    static final int TEXT_LENGTH = 500;

    /// About what a turn takes in a journal.
    private static final int TURN_BYTES = 2_500;

    private static final Duration WAIT = Duration.ofMinutes(1);
    private static final int TEXTS = 1_000;
    private static final int TURNS_IN_BATCH = 10;

    private final Path directory;

    /// A generator for each thread: what sixteen writers lose by sharing one is no cost of the store.
    private final ThreadLocal<Ids> ids =
            ThreadLocal.withInitial(() -> new Ids(Clock.systemUTC(), new SplittableRandom()));

    private final List<String> texts =
            IntStream.range(0, TEXTS).mapToObj(Lab::text).toList();
    private int homes;

    private Lab(Path directory) {
        this.directory = directory;
    }

    static Lab in(Path directory) throws IOException {
        return new Lab(Files.createTempDirectory(Files.createDirectories(directory), "bench-"));
    }

    /// An empty directory.
    Path newDirectory() throws IOException {
        return Files.createDirectory(directory.resolve("home-" + homes++));
    }

    /// The file system, and how long it takes to keep a few bytes for good.
    String disk() throws IOException {
        try (var file = RawFile.create(newDirectory().resolve("raw"), TURN_BYTES)) {
            var sync = Samples.interleaved(50, 500, List.of(Samples.timed(file::append)))
                    .getFirst()
                    .median();
            return Files.getFileStore(directory).type() + ", write + fdatasync of " + Report.Unit.BYTES.show(TURN_BYTES)
                    + " in " + Report.Unit.NANOS.show(sync);
        }
    }

    static FileSessionStore open(Path home, Durability durability) {
        return FileSessionStore.open(home, StoreOptions.standard().withDurability(durability));
    }

    static Path journal(Path home, SessionId id) {
        return home.resolve("sessions/by-id").resolve(id.toString()).resolve("journal.jsonl");
    }

    /// Makes sessions with so many messages each, quickly and without waiting for the disk.
    List<SessionId> prepare(Path home, List<Integer> sizes) {
        var made = new ArrayList<SessionId>();
        try (var store = open(home, Durability.NEVER)) {
            for (var messages : sizes) {
                try (var session = store.create(NewSession.in(SCOPE))) {
                    fill(session, messages / 2);
                    made.add(session.id());
                }
            }
        }
        return made;
    }

    private void fill(SessionHandle session, int turns) {
        LoopPointer head = null;
        for (int done = 0; done < turns; ) {
            var version = session.state().version();
            var events = new ArrayList<SessionEvent>();
            for (int i = 0; i < TURNS_IN_BATCH && done < turns; i++, done++) {
                var start = version + events.size() + 1;
                var turn = turn(head, done);
                events.addAll(turn);
                head = new LoopPointer(((LoopEvent) turn.getFirst()).loop(), start);
            }
            session.append(Batch.at(version, events));
        }
    }

    /// A prompt and its answer.
    List<SessionEvent> turn(@Nullable LoopPointer head, int number) {
        return Exchange.of(ids.get(), Clock.systemUTC().instant(), head, said(2 * number), said(2 * number + 1));
    }

    private String said(int number) {
        return texts.get(Math.floorMod(number, TEXTS));
    }

    /// Takes the session's next turn, as any client does.
    void takeTurn(SessionHandle session) {
        try (var guard = session.lock(WAIT)) {
            appendTurn(guard);
        }
    }

    /// Appends the session's next turn, for somebody who holds its guard.
    void appendTurn(SessionGuard guard) {
        var state = guard.state();
        guard.append(Batch.at(state.version(), turn(state.head(), (int) state.version())));
    }

    /// Words, different for each number, of [#TEXT_LENGTH] characters.
    static String text(int number) {
        var random = new SplittableRandom(number);
        var text = new StringBuilder(TEXT_LENGTH + 16);
        while (text.length() < TEXT_LENGTH) {
            for (int length = random.nextInt(2, 10); length > 0; length--) {
                text.append((char) ('a' + random.nextInt(26)));
            }
            text.append(random.nextInt(12) == 0 ? "; \"so\" " : " ");
        }
        text.setLength(TEXT_LENGTH);
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        delete(directory);
    }

    private static void delete(Path tree) throws IOException {
        try (var paths = Files.walk(tree)) {
            paths.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
