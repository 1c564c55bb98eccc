package dev.skein.store.file;

import dev.skein.exchange.loki.LokiSession;
import dev.skein.failure.SkeinException;
import dev.skein.session.Ids;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Random;

/// A session of another tool, for `bin/fuzz import`: it is read, or refused in one sentence.
public final class ImportFuzz {

    private static final Instant THEN = Instant.parse("2026-01-02T03:04:05Z");

    private ImportFuzz() {}

    public static void fuzzerTestOneInput(byte[] yaml) {
        var ids = new Ids(Clock.fixed(THEN, ZoneOffset.UTC), new Random(1));
        try {
            LokiSession.read(yaml, "some.yaml", THEN, ids);
        } catch (SkeinException e) {
            if (e.getMessage() == null || e.getMessage().isBlank()) {
                throw new IllegalStateException("refused without a word", e);
            }
        }
    }
}
