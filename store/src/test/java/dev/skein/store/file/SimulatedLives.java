package dev.skein.store.file;

import dev.skein.failure.SkeinException;
import dev.skein.session.Entry;
import dev.skein.session.ForkRef;
import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.Batch;
import dev.skein.store.NewSession;
import dev.skein.store.file.SimulatedDisk.PowerCut;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;

/// Two processes that work on one simulated disk and die again and again, and what must be true after each death.
///
/// Everything follows from the seed. Processes run the store's own code, without its locks: there is one thread.
final class SimulatedLives {

    private static final Path HOME = Path.of("/simulated");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Scope SCOPE = Scope.LOCAL;

    /// One seed in so many has long sessions with long texts; the others are short, for the sake of many crashes.
    private static final int LONG = 16;

    private final SimulatedDisk simulated = new SimulatedDisk();
    private final Disk disk;
    private final Random random;
    private final Ids ids;
    private final Mix mix;
    private final int sessionsMax;
    private final int eventsMax;
    private final int textMax;
    private final Committer committer = Committer.inline();
    private final List<Promised> sessions = new ArrayList<>();
    private Life first;
    private Life second;
    private Life acting;
    private int texts;
    private long settled;

    /// What the processes do: only append to one session, or all that a store can do.
    enum Mix {
        APPENDS,
        EVERYTHING
    }

    SimulatedLives(long seed, Mix mix, UnaryOperator<Disk> defect) {
        this.random = new Random(seed);
        this.ids = new Ids(Clock.fixed(NOW, ZoneOffset.UTC), random);
        this.mix = mix;
        var thorough = mix == Mix.EVERYTHING || seed % LONG == 0;
        this.sessionsMax = thorough ? 4 : 1;
        this.eventsMax = thorough ? 24 : 12;
        this.textMax = thorough ? 3000 : 1200;
        this.disk = defect.apply(simulated);
    }

    /// What somebody was told about a session. Events in doubt are those of the one append whose outcome nobody
    /// knows.
    private static final class Promised {
        private final SessionId id;
        private final List<SessionEvent> events = new ArrayList<>();
        private Batch doubt;
        private SessionAlias alias;
        private boolean made;
        private boolean deleting;

        Promised(SessionId id) {
            this.id = id;
        }
    }

    /// A process: what it knows dies with it.
    private final class Life {
        private final SessionTree tree = new Home(disk, HOME).tree(SCOPE);
        private final Map<SessionId, LiveSession> open = new HashMap<>();

        LiveSession session(SessionId id) {
            return open.computeIfAbsent(id, _ -> new LiveSession(tree, id, committer, Durability.ALWAYS));
        }
    }

    /// Lives and dies so many times. Returns a hash of all that happened.
    long run(int deaths) throws IOException {
        disk.createDirectory(HOME);
        simulated.syncDirectory(HOME.getParent());
        first = new Life();
        second = new Life();
        for (int i = 0; i < deaths; i++) {
            live();
        }
        checkAll(false);
        return simulated.trace() * 31 + settled;
    }

    private void live() throws IOException {
        simulated.cutPowerAfter(random.nextInt(mix == Mix.APPENDS ? 16 : 60));
        if (random.nextInt(4) == 0) {
            simulated.failSyncAfter(random.nextInt(12));
        }
        try {
            while (true) {
                if (!simulated.syncFailed()) {
                    acting = random.nextInt(4) == 0 ? second : first;
                }
                act();
            }
        } catch (PowerCut _) {
            die();
        }
    }

    /// After a failed sync only the process that saw it knows not to trust what it reads, so that one must not die
    /// alone.
    private void die() throws IOException {
        var alone = random.nextInt(4) == 0 && !simulated.syncFailed();
        if (alone) {
            simulated.restart();
            if (acting.equals(first)) {
                first = new Life();
            } else {
                second = new Life();
            }
        } else {
            simulated.crash(random);
            first = new Life();
            second = new Life();
        }
        checkAll(alone);
        if (mix == Mix.EVERYTHING) {
            first.tree.sweep();
        }
    }

    private void act() throws IOException {
        try {
            choose();
        } catch (IOException e) {
            if (!simulated.syncFailed()) {
                throw e;
            }
        }
    }

    private void choose() throws IOException {
        if (sessions.isEmpty()) {
            create(null);
            return;
        }
        var session = sessions.get(random.nextInt(sessions.size()));
        if (!isThere(session)) {
            return;
        }
        var chance = mix == Mix.APPENDS ? 100 : random.nextInt(100);
        if (chance < 10) {
            create(null);
        } else if (chance < 16) {
            create(session);
        } else if (chance < 24) {
            rename(session);
        } else if (chance < 30) {
            delete(session);
        } else if (chance < 40) {
            acting.session(session.id).writeState();
        } else if (chance < 50) {
            check(session, true);
        } else {
            append(session);
        }
    }

    private void create(Promised parent) throws IOException {
        if (sessions.size() >= sessionsMax || (parent != null && parent.doubt != null)) {
            return;
        }
        var child = new Promised(ids.session());
        var alias = random.nextBoolean()
                ? new SessionAlias("name-" + child.id.toString().substring(24))
                : null;
        var session = NewSession.in(SCOPE).named(alias).withEvents(events(random.nextInt(3)));
        ForkRef fork = null;
        var prev = Frame.NO_CRC;
        if (parent != null) {
            var snapshot = acting.session(parent.id).refresh();
            var seq = 1L + random.nextInt(parent.events.size());
            fork = new ForkRef(parent.id, seq);
            prev = seq == snapshot.position().seq() ? snapshot.position().crc() : acting.tree.crcOf(parent.id, seq);
            child.events.addAll(parent.events.subList(0, (int) seq));
        }
        child.events.add(session.opened(NOW, child.id, fork));
        child.events.addAll(session.events());
        sessions.add(child);
        if (parent != null) {
            acting.tree.noteFork(parent.id, child.id);
        }
        acting.tree.create(child.id, session, fork, prev, NOW);
        child.made = true;
        child.alias = alias;
        if (parent != null && !parent.made) {
            parent.made = true; // who sees the child can read what it shares with its parent
        }
    }

    private void append(Promised session) throws IOException {
        if (session.events.size() >= eventsMax) {
            session = shorter();
            if (session == null) {
                retire(sessions.removeFirst());
                create(null);
                return;
            }
            if (!isThere(session)) {
                return;
            }
        }
        var writer = acting.session(session.id).writer();
        var retry = session.doubt;
        var state = writer.prepare().state();
        if (retry != null && retry.key() != null && random.nextBoolean()) {
            var appended = writer.append(retry);
            require(appended.first() == session.events.size() + 1, "a retry found another place", session);
            acknowledged(session, retry);
            return;
        }
        settle(session, state.version());
        session.made = true;
        var batch = Batch.at(session.events.size(), events(1 + random.nextInt(3)));
        session.doubt = random.nextBoolean() ? batch.withKey("key-" + texts++) : batch;
        var appended = writer.append(session.doubt);
        require(appended.first() == session.events.size() + 1, "an append got another place", session);
        acknowledged(session, session.doubt);
    }

    private static void acknowledged(Promised session, Batch batch) {
        session.events.addAll(batch.events());
        session.doubt = null;
        session.made = true;
    }

    private Promised shorter() {
        return sessions.stream()
                .filter(session -> session.events.size() < eventsMax)
                .findFirst()
                .orElse(null);
    }

    /// A session that is long enough is forgotten, so that what a crash costs does not grow with all there ever was.
    private void retire(Promised session) throws IOException {
        if (mix == Mix.APPENDS) {
            simulated.discard(acting.tree.layout().session(session.id));
            first.open.remove(session.id);
            second.open.remove(session.id);
        }
    }

    private void rename(Promised session) throws IOException {
        var alias = random.nextInt(3) == 0 ? null : new SessionAlias("other-" + texts++);
        var old = session.alias;
        session.alias = null;
        acting.tree.rename(session.id, old, alias);
        session.alias = alias;
        require(old == null || acting.tree.resolve(old).isEmpty(), "the old name still finds it", session);
    }

    private void delete(Promised session) throws IOException {
        session.deleting = true;
        if (session.alias != null) {
            var alias = session.alias;
            session.alias = null;
            acting.tree.aliases().remove(alias, session.id);
        }
        acting.tree.remove(session.id, acting.tree.layout().session(session.id));
        sessions.remove(session);
        first.open.remove(session.id);
        second.open.remove(session.id);
        require(!acting.tree.has(session.id), "a deleted session is there", session);
    }

    private List<SessionEvent> events(int count) {
        var events = new ArrayList<SessionEvent>(count);
        for (int i = 0; i < count; i++) {
            var length = random.nextInt(8) == 0 ? random.nextInt(textMax) : random.nextInt(120);
            var text = "text " + texts++ + " " + "söße ".repeat(length / 5);
            events.add(new SessionEvent.SessionDescribed(NOW, text));
        }
        return events;
    }

    private void checkAll(boolean alone) throws IOException {
        for (var session : List.copyOf(sessions)) {
            if (isThere(session)) {
                check(session, alone);
            }
        }
    }

    private boolean isThere(Promised session) throws IOException {
        var there = first.tree.has(session.id);
        if (!there) {
            require(!session.made || session.deleting, "a session that was made is gone", session);
            sessions.remove(session);
        }
        return there;
    }

    private Life acting() {
        return random.nextInt(4) == 0 ? second : first;
    }

    /// Reads the whole session and compares.
    private void check(Promised session, boolean alone) throws IOException {
        var life = simulated.syncFailed() ? acting : acting();
        var read = new ArrayList<Entry>();
        try {
            var live = life.session(session.id);
            var version = live.refresh().state().version();
            require(live.history().read(1, version, read::add) == 0, "there are gaps", session);
            require(version == read.size(), "%d events, though %d were said".formatted(read.size(), version), session);
        } catch (SkeinException e) {
            throw new AssertionError("session " + session.id + " cannot be read", e);
        }
        var expected = new ArrayList<>(session.events);
        if (session.doubt != null && read.size() != expected.size()) {
            expected.addAll(session.doubt.events());
        }
        require(read.size() == expected.size(), "%d events, not %d".formatted(read.size(), expected.size()), session);
        for (int i = 0; i < expected.size(); i++) {
            var entry = read.get(i);
            require(entry.seq() == i + 1 && entry.event().equals(expected.get(i)), "event " + (i + 1), session);
        }
        var alias = session.alias;
        require(
                alias == null
                        || life.tree.resolve(alias).filter(session.id::equals).isPresent(),
                "no name",
                session);
        if (!alone) {
            settle(session, read.size());
            session.made = true;
            session.deleting = false;
        }
    }

    /// It is known now what became of the append in doubt.
    private void settle(Promised session, long version) {
        if (session.doubt != null && version != session.events.size()) {
            session.events.addAll(session.doubt.events());
        }
        session.doubt = null;
        require(version == session.events.size(), "version " + version, session);
        settled++;
    }

    private static void require(boolean condition, String problem, Promised session) {
        if (!condition) {
            throw new AssertionError("session %s with %d events acknowledged and %s: %s"
                    .formatted(
                            session.id,
                            session.events.size(),
                            session.doubt == null
                                    ? "none in doubt"
                                    : session.doubt.events().size() + " in doubt",
                            problem));
        }
    }
}
