package dev.skein.exchange.loki;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.failure.SkeinException;
import dev.skein.session.Ids;
import dev.skein.testkit.bombs.Bombs;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Documents that are dear to read, as sessions to import (D5), in a process that has little memory. Some twenty
/// megabytes of it are the documents.
class LokiBombTest {

    private static final long SEED = 5;

    @Test
    void every_bomb_is_refused_in_words_and_cheaply() throws Exception {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx96m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName())
                .redirectErrorStream(true)
                .start();
        try (var out = process.getInputStream()) {
            var said = new String(out.readAllBytes(), UTF_8);

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            assertThat(said.lines()).hasSize(Bombs.all(SEED).size()).allMatch(line -> line.startsWith("refused "));
        } finally {
            process.destroyForcibly();
        }
    }

    /// The importer, in a process of its own.
    static final class Child {

        private Child() {}

        public static void main(String[] args) throws IOException {
            var ids = new Ids(Clock.systemUTC(), new Random(1));
            try (var out = new FileOutputStream(FileDescriptor.out)) {
                for (var bomb : Bombs.all(SEED)) {
                    out.write((outcome(bomb, ids) + " " + bomb + "\n").getBytes(UTF_8));
                }
            }
        }

        private static String outcome(Bombs.Bomb bomb, Ids ids) {
            try {
                LokiSession.read(bomb.bytes(), bomb.name() + ".yaml", Instant.EPOCH, ids);
                return "taken";
            } catch (SkeinException e) {
                return String.valueOf(e.getMessage()).isBlank() ? "without a word" : "refused";
            }
        }
    }
}
