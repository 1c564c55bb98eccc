package dev.skein.cli;

import dev.skein.cli.program.LocalClock;
import dev.skein.cli.terminal.Streams;
import dev.skein.cli.terminal.Streams.Attached;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Does what people do most, so that the cache of a distribution (`bin/dist`) holds the classes that this needs.
final class Rehearsal {

    private static final List<List<String>> USUAL = List.of(
            List.of("--version"),
            List.of("--help"),
            List.of("session", "list"),
            List.of("-s", "fruit", "Name a fruit"),
            List.of("-c", "list the files here"),
            List.of("-s", "fruit", "--json", "And another"),
            List.of("session", "list"),
            List.of("session", "list", "--json"),
            List.of("session", "show", "fruit"),
            List.of("session", "tree", "fruit"),
            List.of("session", "search", "fruit"),
            List.of("session", "fork", "fruit", "--name", "other"),
            List.of("session", "export", "fruit", "--format", "md"),
            List.of("completion", "--words", "sessions"),
            List.of("models"),
            List.of("doctor"));

    private Rehearsal() {}

    /// In this home, which should be an empty directory.
    public static void main(String[] home) {
        var env = Map.of("SKEIN_HOME", Path.of(home[0]).toString(), "LANG", "C.UTF-8");
        for (var words : USUAL) {
            Streams.ofProcess();
            var streams = new Streams(
                    InputStream.nullInputStream(),
                    OutputStream.nullOutputStream(),
                    OutputStream.nullOutputStream(),
                    Attached.PIPE);
            var code = Main.run(words.toArray(String[]::new), streams, env, new LocalClock());
            if (code != 0) {
                throw new IllegalStateException(words + " ended with " + code);
            }
        }
    }
}
