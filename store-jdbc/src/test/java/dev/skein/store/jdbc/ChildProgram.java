package dev.skein.store.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.failure.Concurrent;
import dev.skein.failure.SessionLocked;
import dev.skein.failure.SkeinException;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent.SessionDescribed;
import dev.skein.session.SessionId;
import dev.skein.store.Batch;
import dev.skein.store.SessionHandle;
import dev.skein.testkit.HistoryChecker;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// What child processes of tests do with a store, told by arguments: a command, a database, and more.
final class ChildProgram {

    /// Short enough to be waited for in a test, long enough for a busy machine.
    static final JdbcOptions OPTIONS = JdbcOptions.standard().withLease(Duration.ofSeconds(4), Duration.ofMillis(400));

    private static final Scope SCOPE = Scope.LOCAL;
    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
    private static final BufferedReader IN = new BufferedReader(new InputStreamReader(System.in, UTF_8));

    private final JdbcSessionStore store;
    private final String[] arguments;

    private ChildProgram(JdbcSessionStore store, String[] arguments) {
        this.store = store;
        this.arguments = arguments;
    }

    public static void main(String[] arguments) throws Exception {
        // What is logged must not get between what is said.
        System.setOut(System.err);
        try (var store = JdbcSessionStore.open(arguments[1], OPTIONS)) {
            var program = new ChildProgram(store, arguments);
            switch (arguments[0]) {
                case "hold" -> program.hold();
                case "append" -> program.append();
                case "history" -> program.history();
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }
    }

    /// Takes a turn, appends, and at every line it is told tries to append again, saying how that went.
    private void hold() throws IOException {
        try (var guard = store.open(SCOPE, id(arguments[2])).lock(Duration.ofSeconds(30))) {
            guard.append(described("held"));
            OUT.println("held");
            for (var line = IN.readLine(); line != null; line = IN.readLine()) {
                OUT.println(attempt(guard, line));
            }
        }
    }

    private static String attempt(dev.skein.store.SessionGuard guard, String text) {
        try {
            return "appended " + guard.append(described(text)).first();
        } catch (SkeinException e) {
            return e.code();
        }
    }

    /// Appends batches of three until it is killed, and says which were acknowledged.
    private void append() {
        var handle = store.open(SCOPE, id(arguments[2]));
        for (int i = 0; ; i++) {
            var events = new ArrayList<SessionDescribed>();
            for (int n = 0; n < 3; n++) {
                events.addAll(described(i + "." + n));
            }
            OUT.println("ack " + i + " " + handle.append(events).first());
        }
    }

    /// Appends to and reads from several sessions at random, and logs each operation before and after.
    private void history() throws IOException {
        var name = arguments[3];
        var ids = List.of(arguments[5].split(","));
        var handles = ids.stream().map(text -> store.open(SCOPE, id(text))).toList();
        var random = new Random(name.hashCode());
        OUT.println("ready");
        for (int i = 0; i < Integer.parseInt(arguments[4]); i++) {
            var which = random.nextInt(handles.size());
            var log = Path.of(arguments[2], ids.get(which) + "." + name);
            if (random.nextInt(10) == 0) {
                read(handles.get(which), log);
            } else {
                append(handles.get(which), log, name + "-" + i, random);
            }
        }
        OUT.println("done");
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

    /// On the version it saw, so that others may come between; whatever the version is; or in a turn of its own.
    private static void append(SessionHandle handle, Path log, String value, Random random) throws IOException {
        note(log, "append " + value + " " + System.nanoTime());
        try {
            var first = switch (random.nextInt(3)) {
                case 0 ->
                    handle.append(Batch.at(handle.state().version(), described(value))
                                    .withKey(value))
                            .first();
                case 1 -> handle.append(described(value)).first();
                default -> {
                    try (var guard = handle.lock(Duration.ofSeconds(30))) {
                        yield guard.append(described(value)).first();
                    }
                }
            };
            note(log, "ok " + value + " " + System.nanoTime() + " " + first);
        } catch (Concurrent | SessionLocked _) {
            note(log, "refused " + value + " " + System.nanoTime());
        } catch (SkeinException e) {
            note(log, "unknown " + value + " " + e.code());
        }
    }

    static List<SessionDescribed> described(String text) {
        return List.of(new SessionDescribed(Clock.systemUTC().instant(), text));
    }

    private static SessionId id(String text) {
        return SessionId.of(text);
    }

    private static void note(Path log, String line) throws IOException {
        Files.writeString(log, line + "\n", UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
