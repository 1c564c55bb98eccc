package dev.skein.store.file;

import dev.skein.failure.SessionDamaged;
import dev.skein.failure.UnsupportedVersion;
import dev.skein.session.Entry;
import dev.skein.session.ForkRef;
import dev.skein.session.Formation;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionEvent.SessionOpened;
import dev.skein.session.SessionId;
import dev.skein.store.file.Disk.Access;
import dev.skein.wire.FormatVersion;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// All that a session can read: its own journal, and what it shares with the sessions it was forked from.
///
/// Fixed for a session's life, because a fork never moves; only the directory of a deleted parent may.
final class History {

    /// How many forks of forks are followed.
    private static final int DEPTH_MAX = 1_000;

    private final Disk disk;
    private final Places places;
    private final List<Segment> segments;

    private History(Disk disk, Places places, List<Segment> segments) {
        this.disk = disk;
        this.places = places;
        this.segments = segments;
    }

    /// Knows where the journal of a session is now: deleted and purged sessions move.
    interface Places {
        Path journalOf(SessionId id) throws IOException;
    }

    /// The part of one session's journal that belongs to this history: its events `first` to `last`.
    record Segment(SessionId session, long first, long last) {}

    /// Finds out from which journals a session reads, the oldest first.
    static History of(Disk disk, Places places, SessionId id) throws IOException {
        var segments = new ArrayList<Segment>();
        var session = id;
        var last = Long.MAX_VALUE;
        for (int depth = 0; depth < DEPTH_MAX; depth++) {
            var fork = forkOf(disk, places.journalOf(session), session);
            segments.add(new Segment(session, fork == null ? 1 : fork.seq() + 1, last));
            if (fork == null) {
                return new History(disk, places, List.copyOf(segments.reversed()));
            }
            session = fork.session();
            last = Math.min(last, fork.seq());
        }
        throw new SessionDamaged(id, "its forks never end");
    }

    Segment own() {
        return segments.getLast();
    }

    @Nullable
    Segment holding(long seq) {
        for (var segment : segments.reversed()) {
            if (seq >= segment.first()) {
                return seq <= segment.last() ? segment : null;
            }
        }
        return null;
    }

    Disk.DiskFile open(Segment segment) throws IOException {
        return disk.open(places.journalOf(segment.session()), Access.READ);
    }

    /// Hands over the events from `from` to `to`, missing ones as [#gapEvent]s. Returns how many gaps there were.
    int read(long from, long to, Consumer<Entry> each) throws IOException {
        var gaps = 0;
        for (var segment : segments) {
            if (segment.last() >= from && segment.first() <= to) {
                gaps += read(segment, Math.max(from, segment.first()), Math.min(to, segment.last()), each);
            }
        }
        return gaps;
    }

    private int read(Segment segment, long from, long to, Consumer<Entry> each) throws IOException {
        var pass = new Pass(from, to, each);
        try (var file = open(segment)) {
            var journal = new Journal(file);
            var start = from == segment.first() ? 0 : journal.offsetOf(from, file.size());
            journal.scan(Journal.anywhere(start), pass);
        }
        pass.decoding.finish();
        return pass.gaps;
    }

    /// The events of the append that has event `seq`, from that one on.
    List<Entry> appendAt(long seq) throws IOException {
        var segment = holding(seq);
        var found = new ArrayList<Entry>();
        if (segment == null) {
            return found;
        }
        try (var file = open(segment)) {
            var journal = new Journal(file);
            journal.scan(Journal.anywhere(journal.offsetOf(seq, file.size())), (frame, offset) -> {
                if (frame.seq() >= seq) {
                    found.add(decode(frame, offset));
                }
                return frame.seq() < seq || frame.more() > 0;
            });
        }
        return found;
    }

    /// What stands in for a record that cannot be read.
    static SessionEvent gapEvent(long offset, long bytes) {
        var body = Json.MAPPER
                .createObjectNode()
                .put("type", "gap")
                .put("at", Instant.EPOCH.toString())
                .put("offset", offset)
                .put("bytes", bytes);
        return new SessionEvent.Opaque(Instant.EPOCH, "gap", body);
    }

    /// What stands in for the first event of a session, when that cannot be read.
    static SessionOpened lostOpening(SessionId id, Scope scope) {
        return new SessionOpened(
                Instant.EPOCH,
                FormatVersion.current().number(),
                id,
                scope.owner(),
                scope.agent(),
                null,
                null,
                new Formation.Explicit(),
                null,
                null,
                null,
                null,
                Map.of("recovered", Json.MAPPER.getNodeFactory().booleanNode(true)));
    }

    /// Where a session leaves its parent, or null if it is no fork.
    static @Nullable ForkRef forkOf(Disk disk, Path journal, SessionId id) throws IOException {
        try {
            var opened = openingOf(disk, journal);
            if (opened == null) {
                return null;
            }
            if (opened.format() > FormatVersion.current().number()) {
                throw new UnsupportedVersion(
                        "session " + id,
                        opened.format(),
                        FormatVersion.current().number());
            }
            return opened.fork();
        } catch (NoSuchFileException e) {
            throw new NoSuchFileException(e.getFile(), null, "the session it was forked from is missing");
        }
    }

    /// The event that a journal begins with, or null if that cannot be read.
    static @Nullable SessionOpened openingOf(Disk disk, Path journal) throws IOException {
        try (var file = disk.open(journal, Access.READ)) {
            var first = new ArrayList<Entry>(1);
            new Journal(file).scan(Journal.anywhere(0), (frame, offset) -> {
                first.add(decode(frame, offset));
                return false;
            });
            return !first.isEmpty() && first.getFirst().event() instanceof SessionOpened opened ? opened : null;
        }
    }

    /// Hands over the records of a range and fills its gaps.
    private static final class Pass implements Journal.Visitor {
        private final long to;
        private final Decoding decoding;
        private long next;
        private int gaps;

        Pass(long from, long to, Consumer<Entry> each) {
            this.next = from;
            this.to = to;
            this.decoding = new Decoding(each);
        }

        @Override
        public boolean record(Frame frame, long offset) {
            if (frame.seq() > to) {
                return false;
            }
            while (next < frame.seq()) {
                decoding.add(Entry.of(next++, gapEvent(offset, 0)));
                gaps++;
            }
            if (frame.seq() == next) {
                decoding.add(frame, offset);
                next++;
            }
            return frame.seq() < to;
        }

        @Override
        public void gap(long seq, long count, long offset, long bytes) {
            gaps++;
            for (var missing = Math.max(seq, next); missing < seq + count && missing <= to; missing++) {
                decoding.add(Entry.of(missing, gapEvent(offset, bytes)));
                next = missing + 1;
            }
        }
    }

    static Entry decode(Frame frame, long offset) {
        try {
            return frame.entry();
        } catch (JacksonException _) {
            return Entry.of(frame.seq(), gapEvent(offset, frame.to() - frame.from()));
        }
    }
}
