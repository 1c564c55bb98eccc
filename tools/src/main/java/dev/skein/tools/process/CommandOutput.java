package dev.skein.tools.process;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.failure.InvalidRequest;
import dev.skein.message.Excerpt;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What a command says that a person wrote into a settings file. It runs in a shell, contained like every program we
/// start, and not for long.
public record CommandOutput(Path directory, ChildEnvironment environment) {

    private static final Duration TIME = Duration.ofSeconds(30);
    private static final int OUTPUT_MAX = 100_000;
    private static final int COMPLAINT_MAX = 300;

    /// Its standard output.
    ///
    /// @throws InvalidRequest if it takes too long, cannot be started, or ends with another code than 0
    public String of(String command) {
        try {
            var ended = new Execution(directory, environment, TIME, OUTPUT_MAX)
                    .run(
                            List.of("/bin/sh", "-c", command),
                            new byte[0],
                            ChildProcess.Outputs.APART,
                            new Cancellation());
            if (ended.code().isEmpty()) {
                throw new InvalidRequest("it did not end within " + TIME.toSeconds() + " s");
            }
            if (ended.code().getAsInt() != 0) {
                throw new InvalidRequest("it failed with code " + ended.code().getAsInt() + ": "
                        + Excerpt.line(ended.errors(), COMPLAINT_MAX));
            }
            return ended.output();
        } catch (IOException e) {
            throw new InvalidRequest("it cannot be started: " + e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled("interrupted");
        }
    }
}
