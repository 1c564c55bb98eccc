package dev.skein.store.file;

import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.store.Batch;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A process that writes until it is killed. It says what it is about to append and what was acknowledged, each in a
/// line of its own: `try <session> <first> <text>…` and `ack <session> <first>`.
final class KilledWriter {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private final Path home;
    private final long seed;

    private KilledWriter(Path home, long seed) {
        this.home = home;
        this.seed = seed;
    }

    /// Either `threads <home> <seed> <count>`, which goes on for ever, or `script <home> <seed>`, which ends.
    public static void main(String[] args) throws IOException {
        endWithParent();
        var writer = new KilledWriter(Path.of(args[1]), Long.parseLong(args[2]));
        if (args[0].equals("threads")) {
            writer.appendForEver(Integer.parseInt(args[3]));
        } else {
            writer.script();
        }
    }

    /// Whoever started this holds the other end of its standard input, and takes it along when it dies.
    private static void endWithParent() {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (System.in.read() >= 0) {
                    // Nothing is said here.
                }
            } catch (IOException _) {
                // The same as the end.
            }
            Runtime.getRuntime().halt(3);
        });
    }

    private void appendForEver(int threads) {
        var store = FileSessionStore.open(home);
        for (int i = 0; i < threads; i++) {
            var number = i;
            Thread.ofPlatform().start(() -> {
                var random = new Random(seed + number);
                try (var session = store.openOrCreate(NewSession.in(Scope.LOCAL).named("writer-" + number))) {
                    while (true) {
                        append(session, random);
                    }
                }
            });
        }
    }

    private static void append(SessionHandle session, Random random) {
        try (var guard = session.lock(SessionHandle.WAIT_DEFAULT)) {
            for (int i = 0; i < 5; i++) {
                var first = guard.state().version() + 1;
                var batch = announced(session.id() + " " + first, random);
                guard.append(Batch.at(first - 1, batch));
                say("ack " + session.id() + " " + first);
            }
        }
    }

    /// All that changes the disk, in one thread, so that the calls it makes can be counted.
    private void script() throws IOException {
        var random = new Random(seed);
        var ids = new Ids(Clock.systemUTC(), random);
        var tree = new Home(new RealDisk(), home).tree(Scope.LOCAL);
        var id = ids.session();
        var name = new SessionAlias("scripted-" + seed);
        tree.create(id, NewSession.in(Scope.LOCAL).named(name), null, Frame.NO_CRC, NOW);
        say("ack " + id + " 1");
        var session = new LiveSession(tree, id, Committer.inline(), Durability.ALWAYS);
        for (var version = session.writer().prepare().state().version(); version < 10; ) {
            var batch = announced(id + " " + (version + 1), random);
            version = session.writer().append(Batch.at(version, batch)).last();
            say("ack " + id + " " + (version + 1 - batch.size()));
            session.writeState();
        }
        Files.writeString(session.journal(), "{\"seq\":11,\"pr", StandardOpenOption.APPEND);
        session.writer().prepare();
        tree.rename(id, name, new SessionAlias("renamed-" + seed));
        var doomed = ids.session();
        tree.create(doomed, NewSession.in(Scope.LOCAL), null, Frame.NO_CRC, NOW);
        tree.remove(doomed, tree.layout().session(doomed));
    }

    private static List<SessionEvent> announced(String place, Random random) {
        var texts = new ArrayList<String>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            texts.add(Long.toHexString(random.nextLong()).repeat(1 + random.nextInt(40)));
        }
        say("try " + place + " " + String.join(" ", texts));
        return texts.stream()
                .<SessionEvent>map(text -> new SessionEvent.SessionDescribed(NOW, text))
                .toList();
    }

    private static synchronized void say(String line) {
        OUT.write((line + "\n").getBytes(StandardCharsets.UTF_8), 0, line.length() + 1);
        OUT.flush();
    }
}
