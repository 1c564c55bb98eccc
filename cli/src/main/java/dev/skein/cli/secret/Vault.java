package dev.skein.cli.secret;

import dev.skein.failure.InvalidRequest;
import dev.skein.failure.VaultFailed;
import dev.skein.redaction.Redaction;
import dev.skein.server.auth.PrivateFile;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The secrets of a home. Read when first needed; whoever changes one keeps others from doing so at the same time.
///
/// Nothing is written unless the file that is there could be opened, so nothing in it can be lost to a wrong key. Not
/// safe for use by several threads.
public final class Vault {

    private static final int CHARS_MAX = 64 * 1024;
    private static final int LINE_CHARS_MIN = 16;

    private final PrivateFile file;
    private final VaultKey.Places keys;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private @Nullable Map<String, String> opened;

    public Vault(Path home, Map<String, String> env, InstantSource clock) {
        this.file = new PrivateFile(home.resolve(Closed.FILE));
        this.keys = new VaultKey.Places(home, env);
        this.clock = clock;
    }

    /// A secret without its value.
    public record Entry(String name, Instant changed) {}

    /// What there is, by name. Needs no key.
    public List<Entry> list() {
        return closed().stream()
                .flatMap(closed -> closed.secrets().entrySet().stream())
                .map(entry -> new Entry(entry.getKey(), changed(entry.getValue())))
                .toList();
    }

    private Instant changed(Closed.Box box) {
        try {
            return Instant.parse(box.changed());
        } catch (java.time.DateTimeException _) {
            throw VaultFailed.damaged(place(), "a time in it is none");
        }
    }

    /// The value of this name, if there is one.
    ///
    /// @throws VaultFailed if there is a vault that cannot be opened
    public Optional<String> find(String name) {
        return Optional.ofNullable(secrets().get(name));
    }

    /// The secret of this name.
    ///
    /// @throws VaultFailed if there is none of this name
    public String get(String name) {
        return find(name).orElseThrow(() -> VaultFailed.notFound(name));
    }

    public void add(String name, String secret) {
        if (!Closed.isName(name)) {
            throw new InvalidRequest(
                    "a secret's name has letters, digits and _, begins with no digit, and is at most 64" + " long; '"
                            + name + "' is none");
        }
        change(name, secret, false);
    }

    public void update(String name, String secret) {
        change(name, secret, true);
    }

    private void change(String name, String secret, boolean isThere) {
        requireProper(secret);
        edit((sealing, boxes) -> {
            if (boxes.containsKey(name) && !isThere) {
                throw VaultFailed.exists(name);
            }
            if (!boxes.containsKey(name) && isThere) {
                throw VaultFailed.notFound(name);
            }
            boxes.put(name, sealing.close(name, secret, clock.instant()));
        });
    }

    public void delete(String name) {
        if (list().stream().noneMatch(entry -> entry.name().equals(name))) {
            throw VaultFailed.notFound(name);
        }
        edit((_, boxes) -> {
            if (boxes.remove(name) == null) {
                throw VaultFailed.notFound(name);
            }
        });
    }

    /// Everything that must not be kept or shown: all values, long lines of those that have several, and the key.
    public Map<String, String> unspeakable() {
        if (closed().isEmpty()) {
            return Map.of();
        }
        var texts = new HashMap<String, String>();
        secrets().forEach((name, value) -> texts.putAll(unspeakable(name, value)));
        texts.put(VaultKey.VARIABLE, keys.find(place()).text());
        return texts;
    }

    /// The same for one value.
    public static Map<String, String> unspeakable(String name, String value) {
        var texts = new HashMap<>(Map.of(name, value));
        var lines = value.lines().map(String::strip).toList();
        for (int i = 0; lines.size() > 1 && i < lines.size(); i++) {
            if (lines.get(i).length() >= LINE_CHARS_MIN && !lines.get(i).startsWith("-----")) {
                texts.put(name + "." + (i + 1), lines.get(i));
            }
        }
        return texts;
    }

    /// What can be done to the secrets while nobody else does anything.
    private interface Edit {
        void on(Sealing sealing, Map<String, Closed.Box> boxes);
    }

    private void edit(Edit edit) {
        file.change(text -> {
            var closed = text.map(found -> Closed.parse(place(), found));
            var sealing = closed.map(found -> Sealing.of(place(), found, keys.find(place()), random))
                    .orElseGet(() -> Sealing.fresh(keys.findOrMake(place(), random), random));
            var boxes = new TreeMap<>(closed.map(Closed::secrets).orElse(Map.of()));
            edit.on(sealing, boxes);
            return sealing.closed(boxes).print();
        });
        opened = null;
    }

    private Map<String, String> secrets() {
        if (opened == null) {
            var found = new TreeMap<String, String>();
            closed().ifPresent(closed -> {
                var sealing = Sealing.of(place(), closed, keys.find(place()), random);
                closed.secrets().forEach((name, box) -> found.put(name, sealing.open(place(), name, box)));
            });
            opened = found;
        }
        return opened;
    }

    private Optional<Closed> closed() {
        return file.read().map(text -> Closed.parse(place(), text));
    }

    private String place() {
        return file.path().toString();
    }

    private static void requireProper(String secret) {
        if (secret.length() < Redaction.LENGTH_MIN) {
            throw new InvalidRequest("a secret has " + Redaction.LENGTH_MIN
                    + " characters or more; a shorter one could not be told from other words and kept out of sessions");
        }
        if (secret.length() > CHARS_MAX) {
            throw new InvalidRequest("a secret has at most " + CHARS_MAX + " characters");
        }
    }
}
