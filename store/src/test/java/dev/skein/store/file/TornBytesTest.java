package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.SessionDamaged;
import dev.skein.session.Entry;
import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.Batch;
import dev.skein.store.NewSession;
import dev.skein.store.file.Disk.Access;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A journal that ends anywhere, or has any bit flipped: what is intact is served, nothing else is.
///
/// Every one of the 65,536 offsets and 131,072 bits is tried on the journal's reader, on all cores. A whole
/// session is opened, read and appended to at some of them; `-Dskein.bytes.stride=1` does that at each.
class TornBytesTest {

    private static final Path HOME = Path.of("/torn");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final int STRIDE = Integer.getInteger("skein.bytes.stride", 97);
    private static final int LONG = 64 * 1024;
    private static final int SHORT = 16 * 1024;

    private final Random random = new Random(1);
    private final Committer committer = Committer.inline();

    /// A journal, and where its appends end.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Sample(SessionId id, byte[] bytes, List<Integer> ends, List<Integer> sizes) {

        /// How many events there are in the appends that end at or before `offset`.
        int eventsBefore(int offset) {
            var events = 0;
            for (int i = 0; i < ends.size() && ends.get(i) <= offset; i++) {
                events += sizes.get(i);
            }
            return events;
        }

        int endBefore(int offset) {
            var found = 0;
            for (var end : ends) {
                found = end <= offset ? end : found;
            }
            return found;
        }
    }

    @Test
    void a_journal_cut_anywhere_keeps_its_whole_appends_and_takes_new_ones() throws IOException {
        var sample = sample(LONG);

        everywhere(sample, length -> Arrays.copyOf(sample.bytes(), length));
    }

    @Test
    void a_journal_that_is_zeros_from_anywhere_keeps_its_whole_appends() throws IOException {
        var sample = sample(LONG);

        everywhere(sample, from -> Arrays.copyOf(Arrays.copyOf(sample.bytes(), from), sample.bytes().length));
    }

    @Test
    void a_journal_that_is_junk_from_anywhere_keeps_its_whole_appends() throws IOException {
        var sample = sample(LONG);
        var junk = new byte[sample.bytes().length];
        random.nextBytes(junk);

        everywhere(sample, from -> {
            var bytes = junk.clone();
            System.arraycopy(sample.bytes(), 0, bytes, 0, from);
            bytes[from] = (byte) ~sample.bytes()[from]; // junk that happens to be right is not junk
            return bytes;
        });
    }

    @Test
    void every_flipped_bit_is_found() throws IOException {
        var sample = sample(SHORT);
        var lines = linesOf(sample.bytes());

        each(0, sample.bytes().length * 8, bit -> assertFlipFound(sample, lines, bit, UnaryOperator.identity()));
    }

    @Test
    void a_session_with_a_flipped_bit_shows_what_is_intact() throws IOException {
        var sample = sample(SHORT);
        var original = read(sample, sample.bytes());

        each(0, sample.bytes().length * 8, bit -> {
            if (bit % (8 * STRIDE + 1) == 0) {
                assertIntactShown(sample, original, bit);
            }
        });
    }

    private interface Trial {
        void at(int place) throws IOException;
    }

    /// Tries every offset behind the first append, without which there is no session: what the journal's reader
    /// makes of it, and at some also what a session does.
    private void everywhere(Sample sample, IntFunction<byte[]> damaged) {
        each(sample.ends().getFirst(), sample.bytes().length, offset -> {
            var bytes = damaged.apply(offset);
            assertServed(sample, offset, bytes);
            if (offset % STRIDE == 0) {
                assertTail(sample, offset, bytes);
            }
        });
    }

    /// Exactly the whole appends are served, and everything behind them is a torn tail.
    private static void assertServed(Sample sample, int offset, byte[] bytes) throws IOException {
        var end = sample.endBefore(offset);
        var served = new int[1];
        var found = new Journal(new ArrayFile(bytes)).scan(Journal.anywhere(0), (frame, at) -> {
            var same = Arrays.equals(
                    bytes,
                    (int) at,
                    (int) at + frame.to() - frame.from(),
                    sample.bytes(),
                    (int) at,
                    (int) at + frame.to() - frame.from());
            served[0] += same ? 1 : 1_000_000;
            return true;
        });
        if (served[0] != sample.eventsBefore(offset)
                || found.gaps() != 0
                || found.position().offset() != end
                || found.torn() != bytes.length - end) {
            throw new AssertionError(
                    "at %d: %d records of %d, %s".formatted(offset, served[0], sample.eventsBefore(offset), found));
        }
    }

    private static void each(int from, int to, Trial trial) {
        IntStream.range(from, to).parallel().forEach(place -> {
            try {
                trial.at(place);
            } catch (IOException e) {
                throw new AssertionError("at " + place, e);
            }
        });
    }

    @Test
    void a_reader_that_ignores_checksums_is_caught() throws IOException {
        var sample = sample(4 * 1024);
        var lines = linesOf(sample.bytes());

        assertThatThrownBy(() -> {
                    for (int bit = 0; bit < sample.bytes().length * 8; bit++) {
                        assertFlipFound(sample, lines, bit, PlantedDefects::forgive);
                    }
                })
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void damage_in_the_middle_makes_a_session_read_only_and_stays_as_it_is() throws IOException {
        var sample = sample(16 * 1024);
        for (int i = 1; i < sample.ends().size() - 2; i++) {
            var bytes = sample.bytes().clone();
            bytes[sample.ends().get(i) + 40] ^= 4;
            var disk = diskWith(sample, bytes);
            var session = session(disk, sample.id());

            var read = readAll(session);

            assertThat(read).hasSize(sample.eventsBefore(bytes.length));
            assertThat(read.stream().filter(TornBytesTest::isGap)).hasSize(1);
            assertThatThrownBy(() -> session.writer().prepare()).isInstanceOf(SessionDamaged.class);
            assertThat(bytesOf(disk, sample.id())).isEqualTo(bytes);
        }
    }

    /// From `offset` on the bytes are not what they were.
    private void assertTail(Sample sample, int offset, byte[] bytes) throws IOException {
        var events = sample.eventsBefore(offset);
        var end = sample.endBefore(offset);
        var disk = diskWith(sample, bytes);
        var session = session(disk, sample.id());

        assertThat(readAll(session)).hasSize(events).noneMatch(TornBytesTest::isGap);
        session.writer().prepare();
        var appended = session.writer().append(Batch.at(events, List.of(said("after"))));

        assertThat(appended.last()).isEqualTo(events + 1);
        assertThat(readAll(session(disk, sample.id()))).hasSize(events + 1).noneMatch(TornBytesTest::isGap);
        if (bytes.length > end) {
            var beside = session.directory().resolve("journal.jsonl.torn-" + end);
            assertThat(new DurableNames(disk).read(beside, bytes.length))
                    .isEqualTo(Arrays.copyOfRange(bytes, end, bytes.length));
        }
    }

    /// Every record is what it was; what is missing is told, or in the tail.
    private static void assertFlipFound(Sample sample, List<String> lines, int bit, UnaryOperator<byte[]> defect)
            throws IOException {
        var served = new ArrayList<String>();
        var end = new Journal(new ArrayFile(defect.apply(flipped(sample, bit))))
                .scan(Journal.anywhere(0), collect(served));
        if (!lines.containsAll(served) || (end.gaps() == 0 && end.torn() == 0) || served.size() >= lines.size()) {
            throw new AssertionError("bit %d: %d gaps, %d bytes torn, %d of %d records"
                    .formatted(bit, end.gaps(), end.torn(), served.size(), lines.size()));
        }
    }

    private static List<String> linesOf(byte[] bytes) throws IOException {
        var lines = new ArrayList<String>();
        new Journal(new ArrayFile(bytes)).scan(Journal.anywhere(0), collect(lines));
        return lines;
    }

    private static Journal.Visitor collect(List<String> lines) {
        return (frame, _) -> lines.add(
                new String(frame.bytes(), frame.from(), frame.to() - frame.from(), StandardCharsets.ISO_8859_1));
    }

    private static byte[] flipped(Sample sample, int bit) {
        var bytes = sample.bytes().clone();
        bytes[bit / 8] ^= (byte) (1 << (bit % 8));
        return bytes;
    }

    /// Every event is what it was, or said to be missing, or in the tail that is set aside.
    private void assertIntactShown(Sample sample, List<Entry> original, int bit) throws IOException {
        var read = read(sample, flipped(sample, bit));
        var lastAppend = sample.ends().get(sample.ends().size() - 2);
        var inTail = bit / 8 >= lastAppend;
        var wrong = 0;
        var gaps = 0;
        for (var entry : read) {
            gaps += isGap(entry) ? 1 : 0;
            wrong += isGap(entry) || entry.equals(original.get((int) entry.seq() - 1)) ? 0 : 1;
        }
        if (wrong > 0 || (gaps == 0 && !inTail) || (!inTail && read.size() != original.size())) {
            throw new AssertionError("bit %d: %d wrong events, %d gaps, %d of %d events"
                    .formatted(bit, wrong, gaps, read.size(), original.size()));
        }
    }

    private List<Entry> read(Sample sample, byte[] bytes) throws IOException {
        return readAll(session(diskWith(sample, bytes), sample.id()));
    }

    private static List<Entry> readAll(LiveSession session) throws IOException {
        var read = new ArrayList<Entry>();
        session.history().read(1, session.refresh().state().version(), read::add);
        return read;
    }

    private static boolean isGap(Entry entry) {
        return switch (entry.event()) {
            case SessionEvent.Opaque opaque -> opaque.type().equals("gap");
            case SessionEvent.SessionOpened opened -> opened.metadata().containsKey("recovered");
            default -> false;
        };
    }

    private LiveSession session(Disk disk, SessionId id) {
        return new LiveSession(new Home(disk, HOME).tree(Scope.LOCAL), id, committer, Durability.ALWAYS);
    }

    /// A disk with this session, its journal made of these bytes.
    private static SimulatedDisk diskWith(Sample sample, byte[] bytes) throws IOException {
        var disk = new SimulatedDisk();
        var names = new DurableNames(disk);
        var directory = new Home(disk, HOME).tree(Scope.LOCAL).layout().session(sample.id());
        names.createDirectories(directory, HOME);
        try (var file = disk.open(Layout.journal(directory), Access.CREATE)) {
            file.write(ByteBuffer.wrap(bytes), 0);
        }
        return disk;
    }

    private static byte[] bytesOf(Disk disk, SessionId id) throws IOException {
        var directory = new Home(disk, HOME).tree(Scope.LOCAL).layout().session(id);
        return new DurableNames(disk).read(Layout.journal(directory), Integer.MAX_VALUE);
    }

    private Sample sample(int bytesMin) throws IOException {
        var id = new Ids(Clock.fixed(NOW, ZoneOffset.UTC), random).session();
        var disk = new SimulatedDisk();
        disk.createDirectory(HOME);
        var tree = new Home(disk, HOME).tree(Scope.LOCAL);
        tree.create(id, NewSession.in(Scope.LOCAL), null, Frame.NO_CRC, NOW);
        var session = session(disk, id);
        var ends = new ArrayList<>(List.of(Math.toIntExact(session.journalStat().size())));
        var sizes = new ArrayList<>(List.of(1));
        var version = 1;
        while (ends.getLast() < bytesMin) {
            var events = new ArrayList<SessionEvent>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                events.add(said("söße ".repeat(random.nextInt(random.nextInt(60) + 1))));
            }
            session.writer().append(Batch.at(version, events));
            version += events.size();
            ends.add(Math.toIntExact(session.journalStat().size()));
            sizes.add(events.size());
        }
        return new Sample(id, bytesOf(disk, id), ends, sizes);
    }

    /// A file that can only be read.
    private static final class ArrayFile extends ForwardingDisk.ForwardingFile {
        private final byte[] bytes;

        ArrayFile(byte[] bytes) {
            super(null);
            this.bytes = bytes;
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public int read(ByteBuffer into, long position) {
            var count = (int) Math.max(0, Math.min(into.remaining(), bytes.length - position));
            into.put(bytes, (int) Math.min(position, bytes.length), count);
            return count;
        }
    }

    private static SessionEvent said(String text) {
        return new SessionEvent.SessionDescribed(NOW, text);
    }
}
