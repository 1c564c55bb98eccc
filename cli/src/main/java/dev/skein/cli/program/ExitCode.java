package dev.skein.cli.program;

import dev.skein.failure.FailureKind;

/// How the program ends. Scripts may rely on the numbers; `docs/cli.md` lists them.
public enum ExitCode {
    OK(0),
    /// A defect in Skein.
    UNEXPECTED(1),
    /// The command line makes no sense as given.
    USAGE(2),
    NOT_FOUND(3),
    CONFLICT(4),
    LOCKED(5),
    LIMIT(6),
    /// The storage failed, or is damaged.
    IO(7),
    UNAUTHORIZED(8),
    FORBIDDEN(9),
    TIMEOUT(10),
    PROVIDER(11),
    TOOL(12),
    /// A tool call waits for a person.
    WAITING(13),
    /// A person said no, or pressed Ctrl-C.
    CANCELLED(130);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public static ExitCode of(FailureKind kind) {
        return switch (kind) {
            case INVALID_REQUEST -> USAGE;
            case NOT_FOUND -> NOT_FOUND;
            case UNAUTHORIZED -> UNAUTHORIZED;
            case FORBIDDEN -> FORBIDDEN;
            case CONFLICT -> CONFLICT;
            case LOCKED -> LOCKED;
            case LIMIT -> LIMIT;
            case TIMEOUT -> TIMEOUT;
            case CANCELLED -> CANCELLED;
            case PROVIDER -> PROVIDER;
            case TOOL -> TOOL;
            case IO -> IO;
        };
    }

    public int number() {
        return number;
    }
}
