package dev.skein.cli.store;

import dev.skein.session.Entry;
import dev.skein.store.SessionHandle;
import dev.skein.wire.EventCodec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// What tells two runs of events apart, without keeping either.
final class Digest {

    private final MessageDigest sha;
    private long count;

    private Digest() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// Of the events from `first` to `last` with their numbers and keys.
    static String of(SessionHandle session, long first, long last) {
        var digest = new Digest();
        session.read(first, entry -> {
            if (entry.seq() <= last) {
                digest.add(entry);
            }
        });
        return digest.count + " " + HexFormat.of().formatHex(digest.sha.digest());
    }

    private void add(Entry entry) {
        count++;
        sha.update((entry.seq() + " " + entry.key() + "\n").getBytes(StandardCharsets.UTF_8));
        sha.update(EventCodec.encode(entry.event(), entry.raw()));
    }
}
