package dev.skein.cli.program;

import dev.skein.failure.Cancelled;
import java.io.BufferedOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.Consumer;

/// Standard input and output as the two ends of a protocol.
public final class ProtocolStreams {

    private ProtocolStreams() {}

    /// Speaks the protocol until the other side goes away.
    public interface Talk {
        void hold(InputStream in, OutputStream out, Consumer<Throwable> mishaps) throws InterruptedException;
    }

    /// Standard output belongs to the protocol meanwhile: whatever else is printed goes beside it.
    public static void hold(Program program, Talk talk) {
        var printed = System.out;
        System.setOut(System.err);
        try {
            var streams = program.terminal().streams();
            talk.hold(streams.in(), new BufferedOutputStream(streams.out()), thrown -> tell(program, thrown));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled("interrupted");
        } finally {
            System.setOut(printed);
        }
    }

    private static synchronized void tell(Program program, Throwable thrown) {
        var terminal = program.terminal();
        terminal.note(terminal.stored("a request failed: " + thrown));
    }
}
