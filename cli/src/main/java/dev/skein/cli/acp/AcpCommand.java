package dev.skein.cli.acp;

import dev.skein.cli.program.Program;
import dev.skein.cli.program.ProtocolStreams;
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

    @Override
    public void run() {
        program.openToClient();
        ProtocolStreams.hold(program, (in, out, mishaps) -> {
            var peer = new AcpPeer(out, mishaps);
            peer.serve(in, new AcpAgent(program, program.ai(), peer), PATIENCE);
        });
    }
}
