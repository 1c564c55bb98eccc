package dev.skein.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;

/// Where the program reads and writes, and whether a person sits there.
public record Streams(InputStream in, OutputStream out, OutputStream err, Attached attached) {

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
        return new Streams(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                console != null && console.isTerminal() ? Attached.TERMINAL : Attached.PIPE);
    }
}
