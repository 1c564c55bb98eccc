package dev.skein.server.auth;

import dev.skein.failure.SkeinException;
import dev.skein.server.auth.Caller.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets in who has a key of `keys.yaml`. The file is looked at again when a quarter of a second has passed, so that a
/// key that was revoked, by whatever process, is refused within a second.
///
/// A file that cannot be understood lets nobody in.
public final class StaticKeys implements Authentication {

    private static final Logger LOG = LoggerFactory.getLogger(StaticKeys.class);
    private static final int SECRET_AT = KeyFile.PREFIX.length() + KeyFile.ID_LENGTH + 1;
    private static final int LENGTH = SECRET_AT + KeyFile.SECRET_LENGTH;
    private static final long LOOK_AGAIN_NANOS = 250_000_000;

    private final KeyFile file;
    private final LongSupplier nanos;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile Seen seen;

    /// A key, who has it, and what opens with it.
    private record Known(StoredKey stored, Caller caller, SecretHash hash) {}

    private record Seen(Map<String, Known> keys, Optional<PrivateFile.Stamp> stamp, long lookedAt) {}

    /// @throws SkeinException if the file cannot be read or understood
    public StaticKeys(KeyFile file, LongSupplier nanos) {
        this.file = file;
        this.nanos = nanos;
        var stamp = file.stamp();
        this.seen = new Seen(byId(file), stamp, nanos.getAsLong());
    }

    /// Whether anybody could get in.
    public boolean isEmpty() {
        return current().values().stream().noneMatch(key -> key.stored().counts());
    }

    @Override
    public Optional<Caller> caller(@Nullable String authorization) {
        return Bearer.token(authorization).filter(StaticKeys::hasForm).flatMap(this::owner);
    }

    private static boolean hasForm(String token) {
        return token.length() == LENGTH && token.startsWith(KeyFile.PREFIX) && token.charAt(SECRET_AT - 1) == '_';
    }

    private Optional<Caller> owner(String token) {
        var key = current().get(token.substring(KeyFile.PREFIX.length(), SECRET_AT - 1));
        return key != null
                        && key.hash().isOf(token.substring(SECRET_AT))
                        && key.stored().counts()
                ? Optional.of(key.caller())
                : Optional.empty();
    }

    @Override
    public boolean stillValid(Caller caller) {
        if (caller.proof().kind() != Kind.KEY) {
            return true;
        }
        var key = current().get(caller.proof().id());
        return key != null && key.stored().counts() && key.caller().equals(caller);
    }

    @Override
    public void reload() {
        refresh(true);
    }

    private Map<String, Known> current() {
        if (nanos.getAsLong() - seen.lookedAt() >= LOOK_AGAIN_NANOS) {
            refresh(false);
        }
        return seen.keys();
    }

    private void refresh(boolean always) {
        reading.lock();
        try {
            var now = nanos.getAsLong();
            if (!always && now - seen.lookedAt() < LOOK_AGAIN_NANOS) {
                return;
            }
            var stamp = file.stamp();
            var changed = always || !stamp.equals(seen.stamp());
            seen = new Seen(changed ? byId(file) : seen.keys(), stamp, now);
        } catch (SkeinException e) {
            LOG.error("no key counts: {}", e.getMessage());
            seen = new Seen(Map.of(), Optional.empty(), nanos.getAsLong());
        } finally {
            reading.unlock();
        }
    }

    private static Map<String, Known> byId(KeyFile file) {
        var keys = new HashMap<String, Known>();
        file.keys().forEach(key -> keys.put(key.id(), new Known(key, key.caller(), key.secretHash())));
        return Map.copyOf(keys);
    }
}
