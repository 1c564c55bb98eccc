package dev.skein.store.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.failure.Concurrent;
import dev.skein.failure.SessionLocked;
import dev.skein.failure.SkeinException;
import dev.skein.failure.StorageFailed;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent.SessionDescribed;
import dev.skein.session.SessionId;
import dev.skein.store.Batch;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.testkit.HistoryChecker;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/// What child processes of tests do with a store, told by arguments: a command, a home, and more.
final class ChildProgram {

    private static final Scope SCOPE = Scope.LOCAL;

    private final FileSessionStore store;
    private final String[] arguments;

    private ChildProgram(FileSessionStore store, String[] arguments) {
        this.store = store;
        this.arguments = arguments;
    }

    public static void main(String[] arguments) throws Exception {
        try (var store = FileSessionStore.open(Path.of(arguments[1]))) {
            var program = new ChildProgram(store, arguments);
            switch (arguments[0]) {
                case "history" -> program.history();
                case "race" -> program.race();
                case "hold" -> program.hold();
                case "append" -> program.append();
                case "list" -> program.list();
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }
    }

    /// Says who it is, waits for the start, then opens or creates the session with an alias.
    private void race() throws IOException {
        say("ready");
        listen();
        say(store.openOrCreate(NewSession.in(SCOPE).named(arguments[2])).id().toString());
    }

    /// Holds the lock of a session until told to let go.
    private void hold() throws IOException {
        try (var handle = store.open(SCOPE, id());
                var guard = handle.lock(Duration.ofSeconds(20))) {
            guard.append(described("held"));
            say("held");
            listen();
        }
        say("released");
    }

    /// Appends so many times, again with the same key whenever the storage fails, and says what was acknowledged.
    private void append() throws IOException {
        var failures = 0;
        try (var handle = store.open(SCOPE, id())) {
            for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
                var batch = Batch.at(handle.state().version(), described("value " + i))
                        .withKey("key " + i);
                for (var done = false; !done; ) {
                    try {
                        say(handle.append(batch).first() + " value " + i);
                        done = true;
                    } catch (StorageFailed e) {
                        failures++;
                        say("failed " + e.code());
                    }
                }
            }
        }
        say("failures " + failures);
    }

    private void list() throws IOException {
        var page = store.list(ListQuery.ofOwner(SCOPE.owner()));
        page.sessions().forEach(summary -> say("session " + summary.alias()));
        page.problems().forEach(problem -> say("problem " + problem));
        say(store.resolve(SCOPE, new SessionAlias("plain")).isPresent() ? "resolved" : "missing");
    }

    /// Appends and reads at random, and logs each operation before it begins and after it ended.
    private void history() throws IOException {
        var log = Path.of(arguments[3]);
        var name = arguments[4];
        var random = new Random(name.hashCode());
        say("ready");
        try (var handle = store.open(SCOPE, id())) {
            for (int i = 0; i < Integer.parseInt(arguments[5]); i++) {
                var value = name + "-" + i;
                if (random.nextInt(20) == 0) {
                    read(handle, log);
                } else {
                    append(handle, log, value, random);
                }
            }
        }
    }

    private static void read(SessionHandle handle, Path log) throws IOException {
        note(log, "read - " + System.nanoTime());
        var digest = new int[1];
        var last = new long[] {1};
        handle.read(2, entry -> {
            last[0] = entry.seq();
            digest[0] = HistoryChecker.digest(
                    digest[0], entry.event() instanceof SessionDescribed(var _, var text) ? text : "?");
        });
        note(log, "saw " + digest[0] + " " + System.nanoTime() + " " + last[0]);
    }

    /// Half of the time on the version it saw, so that others may come between; else whatever the version is.
    private static void append(SessionHandle handle, Path log, String value, Random random) throws IOException {
        var seen = handle.state().version();
        note(log, "append " + value + " " + System.nanoTime());
        try {
            var appended = random.nextBoolean()
                    ? handle.append(Batch.at(seen, described(value)).withKey(value))
                    : handle.append(described(value));
            note(log, "ok " + value + " " + System.nanoTime() + " " + appended.first());
        } catch (Concurrent | SessionLocked _) {
            note(log, "refused " + value + " " + System.nanoTime());
        } catch (SkeinException e) {
            note(log, "unknown " + value + " " + e.code());
        }
    }

    private static List<SessionDescribed> described(String text) {
        return List.of(new SessionDescribed(Clock.systemUTC().instant(), text));
    }

    private SessionId id() {
        return SessionId.parse(arguments[2]).orElseThrow();
    }

    private static void note(Path log, String line) throws IOException {
        Files.writeString(log, line + "\n", UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static void say(String line) {
        try (var out = new FileOutputStream(FileDescriptor.out) {
            @Override
            public void close() {
                // Shared with all that is said later.
            }
        }) {
            out.write((line + "\n").getBytes(UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void listen() throws IOException {
        new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
    }
}
