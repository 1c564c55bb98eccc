package dev.skein.cli.terminal;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;

/// Passes bytes on and makes failures unchecked, so that a `PrintWriter` above it cannot swallow them.
final class CheckedOutput extends OutputStream {

    private final OutputStream out;

    CheckedOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int b) {
        attempt(() -> out.write(b));
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        attempt(() -> out.write(bytes, from, length));
    }

    @Override
    public void flush() {
        attempt(out::flush);
    }

    private interface Step {
        void run() throws IOException;
    }

    private static void attempt(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            throw isBrokenPipe(e) ? new OutputClosed(e) : new UncheckedIOException(e);
        }
    }

    private static boolean isBrokenPipe(IOException e) {
        return e.getMessage() != null && e.getMessage().toLowerCase(Locale.ROOT).contains("pipe");
    }
}
