package dev.skein.store.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// What a process that was killed in the middle of a write leaves at the end of a journal.
final class TornTail {

    static final String FRAGMENT = "{\"seq\":4711,\"prev\":\"0123";

    private TornTail() {}

    static void add(Path journal) {
        try {
            Files.writeString(journal, FRAGMENT, StandardCharsets.US_ASCII, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
