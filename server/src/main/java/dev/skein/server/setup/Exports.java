package dev.skein.server.setup;

import dev.skein.store.SessionHandle;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/// Writes whole sessions in the formats it knows.
public interface Exports {

    /// The export in this format, for example `json` or `md`; empty if the format is not known.
    Optional<Format> format(String name);

    /// The names of all formats, for people.
    String names();

    /// One way to write a session.
    interface Format {
        String mediaType();

        void write(SessionHandle session, OutputStream out) throws IOException;
    }
}
