package dev.skein.failure;

/// Somebody asked for the end.
public final class Cancelled extends SkeinException {

    public Cancelled(String reason) {
        super(FailureKind.CANCELLED, "run.cancelled", "the run was cancelled: " + reason, null);
    }
}
