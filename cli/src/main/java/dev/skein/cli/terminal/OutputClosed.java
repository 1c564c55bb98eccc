package dev.skein.cli.terminal;

import java.io.IOException;
import java.io.UncheckedIOException;

/// Nobody reads what the program writes any more, as in `skein session list | head -1`. Not an error.
public final class OutputClosed extends UncheckedIOException {

    OutputClosed(IOException cause) {
        super("the output was closed", cause);
    }
}
