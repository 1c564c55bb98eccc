package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skein.session.Entry;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.Batch;
import dev.skein.store.SessionHandle;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process that is killed while it writes loses nothing that it acknowledged.
///
/// `-Dskein.kills=1000` kills as often, and then also at every single system call instead of at the 1st, 3rd,
/// 9th….
@Timeout(value = 2, unit = TimeUnit.HOURS)
class KillTest {

    private static final int KILLS = Integer.getInteger("skein.kills", 15);
    private static final boolean THOROUGH = KILLS >= 1000;
    private static final int KILLS_IN_A_HOME = 20;
    private static final int THREADS = 4;
    private static final int KILLED = 137;
    private static final Path STRACE = Path.of("/usr/bin/strace");

    private final Random random = new Random(1);
    private Path home = TemporaryHome.make();
    private final Map<SessionId, Told> sessions = new LinkedHashMap<>();

    /// What a writer said about its session: event texts by sequence number, and the append it was about to make.
    private static final class Told {
        private final Map<Long, String> acknowledged = new LinkedHashMap<>();
        private long tried;
        private List<String> texts = List.of();
    }

    @Test
    void a_process_killed_at_any_time_loses_nothing_that_it_acknowledged() throws Exception {
        var acknowledged = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            if (kill % KILLS_IN_A_HOME == 0) {
                home = TemporaryHome.make();
                sessions.clear();
            }
            var process = start(List.of(), "threads", home.toString(), "" + kill, "" + THREADS);
            acknowledged += listen(process, 1 + random.nextInt(200));
            assertThat(process.waitFor()).isEqualTo(KILLED);
            verify();
        }
        System.err.printf("%,d kills, %,d appends acknowledged, none lost%n", KILLS, acknowledged);
        assertThat(sessions).hasSize(THREADS);
        assertThat(acknowledged).isGreaterThan(KILLS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pwrite64", "fdatasync", "fsync", "rename", "ftruncate", "mkdir", "unlink"})
    void a_process_killed_at_any_call_loses_nothing_that_it_acknowledged(String call) throws Exception {
        assumeTrue(Files.isExecutable(STRACE), "strace is not installed (apt install strace)");
        var survived = false;
        var runs = 0;
        for (int nth = 1; !survived; nth = THOROUGH ? nth + 1 : nth * 3) {
            sessions.clear();
            var inject = "inject=" + call + ":signal=KILL:when=" + nth;
            var strace = List.of(STRACE.toString(), "-f", "-qqq", "--seccomp-bpf", "-o", "/dev/null", "-e", inject);
            var process = start(strace, "script", home.toString(), Integer.toString(random.nextInt()));
            listen(process, Integer.MAX_VALUE);
            var exit = process.waitFor();
            assertThat(exit).isIn(0, KILLED);
            survived = exit == 0;
            runs++;
            verify();
        }
        System.err.printf("%s: killed %d times%n", call, runs - 1);
    }

    private static Process start(List<String> wrapper, String... arguments) throws IOException {
        var command = new ArrayList<>(wrapper);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xmx128m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                KilledWriter.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /// Takes down what the process says; kills it after so many acknowledgements. Returns how many there were.
    private int listen(Process process, int killAfter) throws IOException {
        var count = 0;
        try (var reader = new BufferedReader(process.inputReader())) {
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                count += take(line.split(" ")) ? 1 : 0;
                if (count == killAfter) {
                    process.toHandle().destroyForcibly(); // the process itself would forget what it has read
                }
            }
        }
        return count;
    }

    /// Returns whether it was an acknowledgement.
    private boolean take(String[] words) {
        var told = sessions.computeIfAbsent(SessionId.parse(words[1]).orElseThrow(), _ -> new Told());
        var first = Long.parseLong(words[2]);
        if (words[0].equals("try")) {
            told.tried = first;
            told.texts = List.of(words).subList(3, words.length);
            return false;
        }
        for (int i = 0; i < told.texts.size(); i++) {
            told.acknowledged.put(first + i, told.texts.get(i));
        }
        told.texts = List.of();
        return true;
    }

    /// All that was acknowledged is there, at most one append more for each writer, and sessions go on.
    private void verify() {
        try (var store = FileSessionStore.open(home)) {
            for (var each : sessions.entrySet()) {
                try (var session = store.open(Scope.LOCAL, each.getKey())) {
                    var read = new ArrayList<Entry>();
                    session.read(1, read::add);
                    assertTold(each.getValue(), read);
                    goOn(session, each.getValue(), read.size());
                }
            }
        }
    }

    private static void assertTold(Told told, List<Entry> read) {
        var texts = new LinkedHashMap<Long, String>();
        for (var entry : read) {
            if (entry.event() instanceof SessionEvent.SessionDescribed described) {
                texts.put(entry.seq(), described.description());
            } else {
                assertThat(entry.event()).isInstanceOf(SessionEvent.SessionOpened.class);
            }
        }
        var withTried = new LinkedHashMap<>(told.acknowledged);
        for (int i = 0; i < told.texts.size(); i++) {
            withTried.put(told.tried + i, told.texts.get(i));
        }
        assertThat(texts).isIn(told.acknowledged, withTried);
        told.acknowledged.putAll(texts);
        told.texts = List.of();
    }

    private static void goOn(SessionHandle session, Told told, long version) {
        try (var guard = session.lock(SessionHandle.WAIT_DEFAULT)) {
            guard.append(Batch.at(version, List.of(new SessionEvent.SessionDescribed(Instant.EPOCH, "and on"))));
        }
        told.acknowledged.put(version + 1, "and on");
    }
}
