package dev.skein.store.file;

import dev.skein.failure.SkeinException;
import dev.skein.failure.StorageFailed;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.Locale;

/// Turns what the operating system says into failures that say what to do.
final class Problems {

    private Problems() {}

    /// `doing` completes "could not …".
    static SkeinException of(String doing, IOException e) {
        var reason = reason(e).toLowerCase(Locale.ROOT);
        if (reason.contains("no space left") || reason.contains("quota exceeded")) {
            return StorageFailed.full(doing, e);
        }
        if (reason.contains("read-only file system")) {
            return StorageFailed.readOnly(doing, e);
        }
        if (e instanceof AccessDeniedException
                || reason.contains("permission denied")
                || reason.contains("operation not permitted")) {
            return StorageFailed.denied(doing, e);
        }
        return StorageFailed.io(doing, e);
    }

    private static String reason(IOException e) {
        if (e instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason();
        }
        return String.valueOf(e.getMessage());
    }
}
