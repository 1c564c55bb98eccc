package dev.skein.cli.terminal;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;

/// Passes bytes on and makes failures unchecked, so that a `PrintWriter` above it cannot swallow them. A failure
/// is thrown once; what is written after it goes nowhere, so that the failure can still be told elsewhere.
///
/// Not safe for use by several threads.
final class CheckedOutput extends OutputStream {

    private final OutputStream out;
    private boolean failed;

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

    private void attempt(Step step) {
        if (failed) {
            return;
        }
        try {
            step.run();
        } catch (IOException e) {
            failed = true;
            throw isBrokenPipe(e) ? new OutputClosed(e) : new UncheckedIOException(e);
        }
    }

    private static boolean isBrokenPipe(IOException e) {
        return e.getMessage() != null && e.getMessage().toLowerCase(Locale.ROOT).contains("pipe");
    }
}
