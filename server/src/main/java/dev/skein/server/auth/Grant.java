package dev.skein.server.auth;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// Something a caller may do. Keys and tokens name it as the wire does, for example `read:sessions`.
public enum Grant {
    READ_SESSIONS("read:sessions"),
    WRITE_SESSIONS("write:sessions"),
    READ_AGENTS("read:agents"),
    RUN_AGENTS("run:agents"),
    READ_MODELS("read:models"),
    ADMIN_MCP("admin:mcp"),
    ADMIN_RAGS("admin:rags"),
    ADMIN_SESSIONS("admin:sessions"),
    ADMIN_METRICS("admin:metrics");

    private final String wire;

    Grant(String wire) {
        this.wire = wire;
    }

    public String wire() {
        return wire;
    }

    public static Optional<Grant> of(String wire) {
        return Arrays.stream(values()).filter(each -> each.wire.equals(wire)).findFirst();
    }

    /// All of them, as a sentence lists them.
    public static String all() {
        return Arrays.stream(values()).map(Grant::wire).collect(Collectors.joining(", "));
    }
}
