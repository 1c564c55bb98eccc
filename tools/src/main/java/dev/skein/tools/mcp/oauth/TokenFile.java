package dev.skein.tools.mcp.oauth;

import dev.skein.failure.StorageFailed;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

/// Grants in a file in home, which only its owner can read. Safe for use by many threads; of two processes that write
/// at once, one may have to ask again.
public final class TokenFile {

    /// The name of the file in home.
    public static final String FILE = "mcp-tokens.json";

    private static final long BYTES_MAX = 4L * 1024 * 1024;
    private static final String ONLY_OWNER = "rw-------";

    private final Path file;

    public TokenFile(Path file) {
        this.file = file;
    }

    synchronized Optional<Grant> get(String server) {
        return Optional.ofNullable(read().get(server));
    }

    synchronized void put(String server, Grant grant) {
        var all = read();
        all.put(server, grant);
        write(all);
    }

    /// Takes the tokens of a grant that is over out, unless others were given meanwhile: these are what comes back.
    synchronized Optional<Grant> dropped(String server, Grant over) {
        var all = read();
        var stored = all.get(server);
        if (stored == null || stored.accessToken() == null) {
            return Optional.empty();
        }
        if (!Objects.equals(stored.refreshToken(), over.refreshToken())) {
            return Optional.of(stored);
        }
        all.put(server, stored.withoutTokens());
        write(all);
        return Optional.empty();
    }

    /// Forgets what was given for a server; false if there was nothing.
    public synchronized boolean forget(String server) {
        var all = read();
        if (all.remove(server) == null) {
            return false;
        }
        write(all);
        return true;
    }

    /// What must not be shown anywhere.
    public synchronized Map<String, String> secrets() {
        var secrets = new HashMap<String, String>();
        read().forEach((server, grant) -> {
            put(secrets, server + ".access_token", grant.accessToken());
            put(secrets, server + ".refresh_token", grant.refreshToken());
            put(secrets, server + ".client_secret", grant.clientSecret());
        });
        return secrets;
    }

    private static void put(Map<String, String> secrets, String name, @org.jspecify.annotations.Nullable String value) {
        if (value != null) {
            secrets.put(name, value);
        }
    }

    private Map<String, Grant> read() {
        if (!Files.exists(file)) {
            return new TreeMap<>();
        }
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new IOException("it is larger than " + BYTES_MAX + " bytes");
            }
            return Json.MAPPER.readValue(Files.readAllBytes(file), new TypeReference<TreeMap<String, Grant>>() {});
        } catch (IOException | JacksonException e) {
            throw StorageFailed.io(
                    "read " + file + " (remove it to log in to MCP servers again)",
                    e instanceof IOException io ? io : new IOException("it is not JSON", e));
        }
    }

    private void write(Map<String, Grant> all) {
        try {
            var target = file.toAbsolutePath();
            Files.createDirectories(target.getParent());
            var draft = Files.createTempFile(
                    target.getParent(),
                    FILE,
                    ".tmp",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(ONLY_OWNER)));
            Files.write(draft, Json.MAPPER.writeValueAsBytes(all));
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw StorageFailed.io("write " + file, e);
        }
    }
}
