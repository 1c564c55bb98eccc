package dev.skein.server.auth;

import dev.skein.failure.InvalidRequest;
import dev.skein.failure.UnsafeSettings;
import dev.skein.session.Scope;
import dev.skein.wire.Json;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// `keys.yaml`: the keys of a home. Whoever changes it keeps others from doing so at the same time.
public final class KeyFile {

    /// What every key begins with, so that it is recognised wherever it is leaked.
    static final String PREFIX = "skein_";

    private static final YAMLMapper YAML = Json.configure(YAMLMapper.builder()).build();
    private static final int ID_BYTES = 8;

    /// How long the id of a key is.
    static final int ID_LENGTH = 2 * ID_BYTES;

    /// How long its secret is.
    static final int SECRET_LENGTH = 43;

    private static final int SALT_BYTES = 16;

    private final PrivateFile file;

    public KeyFile(Path path) {
        this.file = new PrivateFile(path);
    }

    /// A key and its secret, which nobody can tell again.
    public record NewKey(StoredKey stored, String key) {}

    private record Content(List<StoredKey> keys) {}

    /// None if there is no file.
    ///
    /// @throws UnsafeSettings if others may read the file, or it cannot be understood
    public List<StoredKey> keys() {
        return file.read().map(this::parse).orElse(List.of());
    }

    public NewKey create(String subject, List<String> scopes, InstantSource clock, SecureRandom random) {
        var _ = Scope.ofOwner(subject);
        var id = HexFormat.of().formatHex(bytes(random, ID_BYTES));
        var secret = Bearer.newSecret(random);
        var salt = bytes(random, SALT_BYTES);
        var stored = new StoredKey(
                id,
                subject,
                scopes,
                clock.instant(),
                null,
                HexFormat.of().formatHex(salt),
                HexFormat.of().formatHex(Bearer.hash(salt, secret)));
        change(keys -> {
            var more = new ArrayList<>(keys);
            more.add(stored);
            return more;
        });
        return new NewKey(stored, PREFIX + id + "_" + secret);
    }

    /// The key as it is now. A key that was revoked before stays so since then.
    public StoredKey revoke(String id, InstantSource clock) {
        if (keys().stream().noneMatch(key -> key.id().equals(id))) {
            throw new InvalidRequest("there is no key '" + id + "'; 'skein keys list' shows which there are");
        }
        var now = clock.instant();
        change(keys -> keys.stream()
                .map(key -> key.id().equals(id) && key.counts() ? key.revokedAt(now) : key)
                .toList());
        return keys().stream().filter(key -> key.id().equals(id)).findFirst().orElseThrow();
    }

    Optional<PrivateFile.Stamp> stamp() {
        return file.stamp();
    }

    Path path() {
        return file.path();
    }

    private List<StoredKey> parse(String text) {
        try {
            @Nullable Content content = text.isBlank() ? null : YAML.readValue(text, Content.class);
            return content == null ? List.of() : List.copyOf(content.keys());
        } catch (JacksonException e) {
            // Its own words might quote the file.
            throw UnsafeSettings.open("%s cannot be understood (line %d); no key of it counts until it is mended"
                    .formatted(file.path(), e.getLocation().getLineNr()));
        } catch (NullPointerException _) {
            throw UnsafeSettings.open(file.path() + " has no list 'keys'; no key of it counts until it is mended");
        }
    }

    private void change(UnaryOperator<List<StoredKey>> edit) {
        file.change(text -> YAML.writeValueAsString(
                new Content(edit.apply(text.map(this::parse).orElse(List.of())))));
    }

    private static byte[] bytes(SecureRandom random, int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
