package dev.skein.tools.mcp.wire;

import org.jspecify.annotations.Nullable;

/// Something between us and an MCP server did not work. The message names the server, the fact and, where there is one,
/// the next step.
public final class McpFailure extends RuntimeException {

    private final Kind kind;
    private final int code;

    /// What sort of failure it is.
    public enum Kind {
        /// The server could not be started or reached.
        UNREACHABLE,
        /// It did not answer in time.
        TIMEOUT,
        /// It ended, or its connection did.
        ENDED,
        /// What it sends is not the protocol.
        PROTOCOL,
        /// It sends more than it may.
        TOO_MUCH,
        /// It wants credentials that it did not get.
        UNAUTHORIZED,
        /// It answered with an error.
        ERROR
    }

    public McpFailure(Kind kind, String message) {
        this(kind, message, 0, null);
    }

    public McpFailure(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, message, 0, cause);
    }

    private McpFailure(Kind kind, String message, int code, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.code = code;
    }

    /// The server's own error, with its code.
    public static McpFailure answered(String message, int code) {
        return new McpFailure(Kind.ERROR, message, code, null);
    }

    public Kind kind() {
        return kind;
    }

    /// The code of the server's error; 0 if it is not one.
    public int code() {
        return code;
    }

    /// The same, with more words.
    public McpFailure saying(String message) {
        return new McpFailure(kind, message, code, this);
    }
}
