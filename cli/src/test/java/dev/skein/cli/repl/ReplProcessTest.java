package dev.skein.cli.repl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The whole program in a process of its own, on a pseudo-terminal of the system's.
@Timeout(120)
class ReplProcessTest {

    private static final Path SCRIPT = Path.of("/usr/bin/script");

    @TempDir
    Path home;

    @BeforeEach
    void a_pseudo_terminal_can_be_had() {
        assumeTrue(Boolean.getBoolean("skein.pty"), "give -Dskein.pty=true: keys can get lost on a busy machine");
        assumeTrue(Files.isExecutable(SCRIPT), "no " + SCRIPT + " here: nothing opens a pseudo-terminal");
    }

    @Test
    void a_run_that_was_killed_in_mid_turn_is_offered_and_goes_on() throws Exception {
        try (var first = new OnPty(home, "-s", "foo")) {
            first.sees("foo> ");
            first.types("count to 300 slowly");
            first.sees("1 2 3");
            first.kill();
        }

        try (var second = new OnPty(home, "-c")) {
            var shown = second.sees("continue it? [y/N] ");
            assertThat(shown).contains("'foo': ", "count to 300 slowly", "was not finished");
            second.types("y");
            second.sees("1 2 3");
            second.presses("\u0003");
            second.sees("what was said is kept");
            second.sees("foo> ");
            second.types(".exit");
            second.ends();
        }
    }

    @Test
    void ctrl_c_reaches_a_real_terminal_and_nothing_warns() throws Exception {
        try (var sitting = new OnPty(home)) {
            var greeting = sitting.sees("skein> ");
            assertThat(greeting).contains("Welcome to Skein.").doesNotContainIgnoringCase("warning");
            sitting.types("count to 300 slowly");
            sitting.sees("1 2 3");
            sitting.presses("\u0003");
            sitting.sees("stopped");
            sitting.sees("> ");
            sitting.presses("\u0004");
            sitting.ends();
        }
    }

    /// The program on a pseudo-terminal.
    private static final class OnPty implements AutoCloseable {

        private final Process process;
        private final InputStreamReader output;
        private final StringBuilder raw = new StringBuilder();
        private int seen;

        OnPty(Path home, String... args) throws IOException {
            var java = Path.of(System.getProperty("java.home"), "bin", "java");
            var command = "stty cols 100 rows 40; exec '" + java
                    + "' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED"
                    + " dev.skein.cli.Main " + String.join(" ", args);
            var builder = new ProcessBuilder(List.of(SCRIPT.toString(), "-qec", command, "/dev/null"))
                    .redirectErrorStream(true);
            var env = builder.environment();
            env.keySet().removeIf(name -> name.endsWith("_API_KEY") || name.startsWith("LC_"));
            env.put("CLASSPATH", classPath());
            env.put("SKEIN_HOME", home.toString());
            env.put("LANG", "C.UTF-8");
            env.put("TERM", "xterm");
            env.put("SHELL", "/bin/sh");
            process = builder.start();
            output = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
        }

        /// Where the classes are that this test runs with, whoever started it and however.
        private static String classPath() {
            return Stream.of(
                            System.getProperty("surefire.test.class.path", ""),
                            System.getProperty("java.class.path", ""),
                            loaded())
                    .filter(text -> !text.isEmpty())
                    .collect(Collectors.joining(File.pathSeparator));
        }

        private static String loaded() {
            return OnPty.class.getClassLoader() instanceof URLClassLoader urls
                    ? Arrays.stream(urls.getURLs()).map(URL::getPath).collect(Collectors.joining(File.pathSeparator))
                    : "";
        }

        void types(String line) throws IOException {
            presses(line + "\r");
        }

        void presses(String keys) throws IOException {
            process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        }

        /// Reads until the screen shows this, after what was waited for last.
        String sees(String text) throws IOException {
            while (true) {
                var plain = Shown.plain(raw.toString());
                var found = plain.indexOf(text, Math.min(seen, plain.length()));
                if (found >= 0) {
                    var shown = plain.substring(seen, found + text.length());
                    seen = found + text.length();
                    return shown;
                }
                var next = output.read();
                if (next < 0) {
                    throw new AssertionError("'" + text + "' was not shown, but:\n" + plain.substring(seen));
                }
                raw.append((char) next);
            }
        }

        /// As `kill -9` does it.
        void kill() throws InterruptedException {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.waitFor();
        }

        void ends() throws InterruptedException {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        }

        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            try {
                output.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
