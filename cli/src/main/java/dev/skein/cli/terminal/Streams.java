package dev.skein.cli.terminal;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Where the program reads and writes, and whether a person sits there.
///
/// @param attached what is at both ends: a terminal only if a person reads what is written and can type an answer
/// @param source finds out what is read from, which takes a while
/// @param keyboard what can be typed at without being seen, if anything
public record Streams(
        InputStream in,
        OutputStream out,
        OutputStream err,
        Attached attached,
        Supplier<Attached> source,
        @Nullable Console keyboard) {

    public Streams(InputStream in, OutputStream out, OutputStream err, Attached attached) {
        this(in, out, err, attached, () -> attached, null);
    }

    /// What is at the other end.
    public enum Attached {
        TERMINAL,
        PIPE
    }

    /// The streams of this process, unbuffered and without the error swallowing of `System.out`.
    // Without a terminal the console of java.base, the default one again since JDK 25, is null.
    @SuppressWarnings("SystemConsoleNull")
    public static Streams ofProcess() {
        var console = System.console();
        var attached = console != null && console.isTerminal() ? Attached.TERMINAL : Attached.PIPE;
        return new Streams(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                attached,
                attached == Attached.PIPE ? Streams::keyboardOrPipe : () -> attached,
                attached == Attached.TERMINAL ? console : null);
    }

    /// With the output in a pipe, somebody may still sit at the keyboard: then there is no input to wait for.
    private static Attached keyboardOrPipe() {
        try {
            var process = new ProcessBuilder("test", "-t", "0")
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return process.waitFor() == 0 ? Attached.TERMINAL : Attached.PIPE;
        } catch (IOException _) {
            return Attached.PIPE;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Attached.PIPE;
        }
    }
}
