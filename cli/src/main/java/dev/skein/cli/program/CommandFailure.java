package dev.skein.cli.program;

import dev.skein.failure.FailureKind;
import dev.skein.failure.SkeinException;

/// A command could not do what it was asked, for a reason that only the command line knows.
public final class CommandFailure extends RuntimeException {

    private final FailureKind kind;
    private final String code;

    private CommandFailure(FailureKind kind, String code, String message) {
        super(message);
        this.kind = kind;
        this.code = code;
    }

    /// `next` completes the sentence with what to do.
    public static CommandFailure noSession(String name, String next) {
        return new CommandFailure(
                FailureKind.NOT_FOUND, "session.not_found", "there is no session '" + name + "'; " + next);
    }

    /// The command line cannot be understood.
    public static CommandFailure usage(String message) {
        return new CommandFailure(FailureKind.INVALID_REQUEST, "request.invalid", message);
    }

    /// `next` completes the sentence with what to do.
    public static CommandFailure noServer(String name, String next) {
        return new CommandFailure(
                FailureKind.NOT_FOUND, "mcp.not_found", "there is no MCP server '" + name + "'; " + next);
    }

    /// `next` completes the sentence with what to do.
    public static CommandFailure noSchedule(String name, String next) {
        return new CommandFailure(
                FailureKind.NOT_FOUND, "schedule.not_found", "there is no schedule '" + name + "'; " + next);
    }

    /// An MCP server could not be used. The message says why.
    public static CommandFailure serverFailed(String message) {
        return new CommandFailure(FailureKind.TOOL, "mcp.failed", message);
    }

    /// The server cannot have its address. The message says why.
    public static CommandFailure cannotListen(String message) {
        return new CommandFailure(FailureKind.CONFLICT, "server.cannot_listen", message);
    }

    /// A step of a macro could not be done. What is known about the reason stays: its kind and its code.
    public static CommandFailure step(String place, Throwable cause) {
        var message = place + ": " + cause.getMessage();
        return switch (cause) {
            case SkeinException failure -> new CommandFailure(failure.kind(), failure.code(), message);
            case CommandFailure failure -> new CommandFailure(failure.kind(), failure.code(), message);
            default -> new CommandFailure(FailureKind.TOOL, "macro.failed", message);
        };
    }

    /// A person was asked and did not say yes.
    public static CommandFailure declined() {
        return new CommandFailure(
                FailureKind.CANCELLED, "request.declined", "nothing was changed; you did not say yes");
    }

    /// Nobody could be asked.
    public static CommandFailure unconfirmed(String what) {
        return new CommandFailure(
                FailureKind.INVALID_REQUEST,
                "request.unconfirmed",
                what + " needs a yes, and nobody can be asked here; add --yes");
    }

    public FailureKind kind() {
        return kind;
    }

    /// Stable and documented in `docs/errors.md`, as those of `SkeinException`.
    public String code() {
        return code;
    }
}
