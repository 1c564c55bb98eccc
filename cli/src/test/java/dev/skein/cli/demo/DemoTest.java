package dev.skein.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cli.Main;
import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.GlobalOptions;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Streams;
import dev.skein.cli.terminal.Streams.Attached;
import dev.skein.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The demo, with all its processes.
@Timeout(300)
class DemoTest {

    private static final Pattern DIRECTORY = Pattern.compile("\\S+/skein-demo-[0-9]+");
    private static final Map<String, String> ENV = Map.of("LANG", "C.UTF-8");

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Streams streams = new Streams(InputStream.nullInputStream(), out, out, Attached.PIPE);

    /// What a demo that failed keeps for those who look into it.
    @AfterEach
    void clear() throws IOException {
        if (Files.exists(place())) {
            try (var files = Files.walk(place())) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Test
    void keeps_every_promise_and_leaves_nothing_behind() {
        var code = Main.run(new String[] {"demo"}, streams, ENV, Clock.systemUTC());

        assertThat(shown()).contains("kill -9", "All 18 promises were kept.").doesNotContain("broken");
        assertThat(code).isZero();
        assertThat(place()).doesNotExist();
    }

    @Test
    void a_broken_promise_is_told_and_ends_the_demo_with_a_failure() throws IOException {
        var code = play(forgetful());

        assertThat(code).isEqualTo(ExitCode.UNEXPECTED.number());
        assertThat(shown())
                .contains("✗ the finished commands did not run again", "1 broken, ")
                .doesNotContain("A fork tries");
        assertThat(place().resolve("home/sessions/by-name/trip"))
                .as("kept to be looked at")
                .exists();
    }

    @Test
    void a_program_that_does_not_start_is_told_too() {
        var code = play(List.of(directory.resolve("nothing").toString()));

        assertThat(code).isEqualTo(ExitCode.UNEXPECTED.number());
        assertThat(shown()).contains("✗ another skein cannot be started");
    }

    /// A skein that runs a finished command again when a session is taken up.
    private List<String> forgetful() throws IOException {
        var script = directory.resolve("skein");
        var real = Launch.again().stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        Files.writeString(script, "if [ \"$1\" = -c ]; then echo packed >> diary.txt; fi\nexec " + real + " \"$@\"\n");
        return List.of("/bin/sh", script.toString());
    }

    private int play(List<String> skein) {
        var terminal = new Terminal(streams, ENV);
        try (var program = new Program(new GlobalOptions(), terminal, ENV, Clock.systemUTC())) {
            var code = new DemoCommand(program, skein).call();
            terminal.flush();
            return code;
        }
    }

    private String shown() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private Path place() {
        var found = DIRECTORY.matcher(shown());
        assertThat(found.find()).isTrue();
        return Path.of(found.group());
    }
}
