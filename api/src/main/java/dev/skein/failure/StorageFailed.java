package dev.skein.failure;

import org.jspecify.annotations.Nullable;

/// The storage said no. If it was a write, its outcome is unknown until the session is read again.
public final class StorageFailed extends SkeinException {

    private StorageFailed(String code, String message, @Nullable Throwable cause) {
        super(FailureKind.IO, code, message, cause);
    }

    public static StorageFailed io(String doing, Throwable cause) {
        return new StorageFailed(
                "store.io", "could not " + doing + ": " + reason(cause) + "; check the disk and try again", cause);
    }

    public static StorageFailed full(String doing, Throwable cause) {
        return new StorageFailed(
                "store.full", "could not " + doing + ": no space is left; free some and try again", cause);
    }

    public static StorageFailed denied(String doing, Throwable cause) {
        return new StorageFailed(
                "store.denied",
                "could not " + doing + ": not permitted (" + reason(cause) + "); check owner and mode of the directory",
                cause);
    }

    public static StorageFailed readOnly(String doing, Throwable cause) {
        return new StorageFailed(
                "store.denied",
                "could not " + doing + ": nothing can be written to its disk; make it writable or give another home",
                cause);
    }

    /// A database did not answer, or not in time. `why` and `next` are parts of a sentence.
    public static StorageFailed unavailable(String doing, String why, String next, Throwable cause) {
        return new StorageFailed("store.unavailable", "could not " + doing + ": " + why + "; " + next, cause);
    }

    public static StorageFailed unsafe(String message) {
        return new StorageFailed("store.unsafe", message, null);
    }

    private static String reason(Throwable cause) {
        var message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
