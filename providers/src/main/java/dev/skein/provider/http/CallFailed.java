package dev.skein.provider.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A call that never became an answer, or only half of one: what happened, what to do, and whether it may pass.
///
/// What the JDK threw is suppressed, not the cause: LangChain4j looks for the last cause and says that in its own
/// words.
public final class CallFailed extends IOException {

    private final String next;
    private final boolean isTransient;

    private CallFailed(String what, String next, boolean isTransient, @Nullable Throwable cause) {
        super(what);
        this.next = next;
        this.isTransient = isTransient;
        if (cause != null) {
            addSuppressed(cause);
        }
    }

    /// It may work the next time.
    public static CallFailed passing(String what, String next, @Nullable Throwable cause) {
        return new CallFailed(what, next, true, cause);
    }

    /// It fails the same way again.
    public static CallFailed lasting(String what, String next) {
        return new CallFailed(what, next, false, null);
    }

    /// What a person can do about it.
    public String next() {
        return next;
    }

    public boolean isTransient() {
        return isTransient;
    }
}
