package dev.skein.cli.acp;

import dev.skein.cli.program.Program;
import dev.skein.failure.Cancelled;
import java.io.BufferedOutputStream;
import java.time.Duration;
import picocli.CommandLine.Command;

/// `skein acp`
@Command(
        name = "acp",
        description = "Be the agent of an editor that speaks the Agent Client Protocol over standard input and output.")
public final class AcpCommand implements Runnable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Program program;

    public AcpCommand(Program program) {
        this.program = program;
    }

    /// Standard output belongs to the protocol: whatever else is printed goes beside it.
    @Override
    public void run() {
        var printed = System.out;
        System.setOut(System.err);
        try {
            var streams = program.terminal().streams();
            var peer = new AcpPeer(new BufferedOutputStream(streams.out()), this::mishap);
            peer.serve(streams.in(), new AcpAgent(program, program.ai(), peer), PATIENCE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled("interrupted");
        } finally {
            System.setOut(printed);
        }
    }

    private synchronized void mishap(Throwable thrown) {
        var terminal = program.terminal();
        terminal.note(terminal.stored("a request failed: " + thrown));
    }
}
