package dev.skein.bench;

import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.testkit.provider.Gate;
import dev.skein.testkit.provider.OpenAiWire;
import dev.skein.testkit.provider.ProviderServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// A provider in a process of its own that speaks every answer in so many pieces over so long a time.
final class PacedProvider implements AutoCloseable {

    static final int PIECES = 20;
    static final Duration TIME = Duration.ofSeconds(5);

    private static final Duration STEP = TIME.dividedBy(PIECES);
    private static final String PIECE = "some words of an answer, ";

    private final Process process;
    private final URI address;

    private PacedProvider(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    /// Starts the process, and waits until it listens.
    static PacedProvider start() throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process = new ProcessBuilder(
                        java, "-Xmx1g", "-cp", System.getProperty("java.class.path"), PacedProvider.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var line = process.inputReader(StandardCharsets.UTF_8).readLine();
        if (line == null) {
            throw new IOException("the provider did not start");
        }
        return new PacedProvider(process, URI.create(line));
    }

    URI address() {
        return address;
    }

    static String answer() {
        return PIECE.repeat(PIECES);
    }

    @Override
    public void close() {
        process.destroy();
    }

    /// The other process. It ends when its standard input does.
    public static void main(String[] args) throws IOException {
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (var server = ProviderServer.speaking(new OpenAiWire());
                var timer = Executors.newSingleThreadScheduledExecutor();
                var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            server.always(_ -> paced(timer));
            out.println(server.baseUrl());
            while (in.readLine() != null) {
                // Nothing is said here.
            }
            timer.shutdownNow();
        }
    }

    private static Answer paced(ScheduledExecutorService timer) {
        var steps = new ArrayList<Step>();
        for (int i = 1; i <= PIECES; i++) {
            var gate = new Gate();
            var _ = timer.schedule(gate::open, STEP.multipliedBy(i).toNanos(), TimeUnit.NANOSECONDS);
            steps.add(new Step.WaitAt(gate));
            steps.add(new Step.Say(PIECE));
        }
        return Answer.reply(steps.toArray(Step[]::new));
    }
}
