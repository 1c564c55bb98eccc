package dev.skein.failure;

import java.util.List;

/// The settings are wrong, or would leave a door open. Nothing was started.
public final class UnsafeSettings extends SkeinException {

    private UnsafeSettings(String code, String message) {
        super(FailureKind.INVALID_REQUEST, code, message, null);
    }

    /// Everybody could get in.
    public static UnsafeSettings open(String why) {
        return new UnsafeSettings("settings.unsafe", why);
    }

    /// All that is wrong, at once.
    public static UnsafeSettings invalid(List<String> problems) {
        return new UnsafeSettings(
                "settings.invalid", "the server was not started:\n  - " + String.join("\n  - ", problems));
    }
}
