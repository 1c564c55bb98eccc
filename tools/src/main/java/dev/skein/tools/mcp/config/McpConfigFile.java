package dev.skein.tools.mcp.config;

import dev.skein.failure.InvalidRequest;
import dev.skein.failure.StorageFailed;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// Changes `mcp.json` and leaves everything in it as it was that is not meant, since other tools write it, too.
public record McpConfigFile(Path file) {

    /// Adds a server, or replaces it.
    public void put(String name, ObjectNode entry) {
        var all = read();
        servers(all).set(name, entry);
        write(all);
    }

    /// Takes a server out; false if it was not there.
    public boolean remove(String name) {
        var all = read();
        if (servers(all).remove(name) == null) {
            return false;
        }
        write(all);
        return true;
    }

    public boolean has(String name) {
        return servers(read()).has(name);
    }

    private ObjectNode servers(ObjectNode all) {
        var servers = all.path(McpConfig.SERVERS);
        if (servers.isMissingNode()) {
            return all.putObject(McpConfig.SERVERS);
        }
        if (servers instanceof ObjectNode there) {
            return there;
        }
        throw unusable("its '" + McpConfig.SERVERS + "' is not an object");
    }

    private ObjectNode read() {
        if (!Files.exists(file)) {
            return Json.MAPPER.createObjectNode();
        }
        try {
            if (Json.MAPPER.readTree(Files.readAllBytes(file)) instanceof ObjectNode all) {
                return all;
            }
            throw unusable("it is not an object");
        } catch (JacksonException e) {
            throw unusable("line " + e.getLocation().getLineNr() + " is not JSON");
        } catch (IOException e) {
            throw StorageFailed.io("read " + file, e);
        }
    }

    private InvalidRequest unusable(String why) {
        return new InvalidRequest(file + " cannot be changed: " + why + "; mend it first");
    }

    /// For the owner's eyes only: there may be credentials in it.
    private void write(ObjectNode all) {
        try {
            var target = Files.isSymbolicLink(file) ? file.toRealPath() : file.toAbsolutePath();
            Files.createDirectories(target.getParent());
            var draft = Files.createTempFile(
                    target.getParent(),
                    McpConfig.FILE,
                    ".tmp",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(
                    draft, Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n");
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw StorageFailed.io("write " + file, e);
        }
    }
}
