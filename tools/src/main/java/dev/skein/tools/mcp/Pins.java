package dev.skein.tools.mcp;

import dev.skein.failure.StorageFailed;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;

/// Which tools of servers were approved, and as what, in a file in home.
///
/// Of each tool it keeps the digest of what it said it was when it was last run, so that one that became another under
/// the same name is noticed. Also kept is what a person was last asked about, since a yes counts for that and nothing
/// else. Safe for use by many threads; of two processes that write at once, one may be asked again.
public final class Pins {

    /// The name of the file in home.
    public static final String FILE = "mcp-approved.json";

    private static final long BYTES_MAX = 64L * 1024 * 1024;

    private final Path file;

    /// What was read last, and of which file. Every call of a tool asks, and there may be megabytes of them.
    private Map<String, Pin> known = Map.of();

    private @Nullable Stamp stamp;

    /// Another file by the same name is told by it: writers never change one, they put another in its place.
    private record Stamp(@Nullable Object key, FileTime changed, long size) {}

    public Pins(Path file) {
        this.file = file;
    }

    /// One tool.
    ///
    /// @param approved the digest it was run with; null if it never was
    /// @param definition what it said then
    /// @param asked the digest a person was asked about since
    record Pin(
            @Nullable String approved,
            @Nullable JsonNode definition,
            @Nullable String asked) {
        static final Pin NONE = new Pin(null, null, null);
    }

    synchronized Pin of(String tool) {
        return Optional.ofNullable(known().get(tool)).orElse(Pin.NONE);
    }

    /// A person is about to be asked about what has this digest.
    synchronized void asked(String tool, String digest) {
        var pin = of(tool);
        if (!digest.equals(pin.asked())) {
            var all = new TreeMap<>(known());
            all.put(tool, new Pin(pin.approved(), pin.definition(), digest));
            write(all);
        }
    }

    /// The tool may run as what it says it is now.
    synchronized void approved(String tool, String digest, JsonNode definition) {
        if (!digest.equals(of(tool).approved())) {
            var all = new TreeMap<>(known());
            all.put(tool, new Pin(digest, definition, null));
            write(all);
        }
    }

    /// Forgets the tools whose names begin so, with the server they are of.
    public synchronized void forget(String prefix) {
        var all = new TreeMap<>(known());
        if (all.keySet().removeIf(tool -> tool.startsWith(prefix + McpTools.SEPARATOR))) {
            write(all);
        }
    }

    private Map<String, Pin> known() {
        try {
            var now = stamp();
            if (now == null || !now.equals(stamp)) {
                known = read();
                stamp = now;
            }
            return known;
        } catch (IOException e) {
            throw StorageFailed.io("read " + file, e);
        }
    }

    /// Null if there is no file.
    private @Nullable Stamp stamp() throws IOException {
        try {
            var found = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(found.fileKey(), found.lastModifiedTime(), found.size());
        } catch (NoSuchFileException _) {
            return null;
        }
    }

    private Map<String, Pin> read() {
        if (!Files.exists(file)) {
            return Map.of();
        }
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw StorageFailed.io("read " + file, new IOException("it is larger than " + BYTES_MAX + " bytes"));
            }
            return Json.MAPPER.readValue(Files.readAllBytes(file), new TypeReference<TreeMap<String, Pin>>() {});
        } catch (IOException | JacksonException e) {
            // Without it every tool would pass for new, so nothing is guessed.
            throw StorageFailed.io(
                    "read " + file + " (remove it to be asked about every MCP tool again)",
                    e instanceof IOException io ? io : new IOException("it is not JSON", e));
        }
    }

    private void write(Map<String, Pin> all) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            var draft = Files.createTempFile(file.toAbsolutePath().getParent(), FILE, ".tmp", attributes());
            Files.write(draft, Json.MAPPER.writeValueAsBytes(all));
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw StorageFailed.io("write " + file, e);
        }
    }

    private static java.nio.file.attribute.FileAttribute<?> attributes() {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    }
}
