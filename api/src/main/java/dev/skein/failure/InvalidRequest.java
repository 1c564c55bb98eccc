package dev.skein.failure;

/// The caller asked for something that makes no sense as asked.
public final class InvalidRequest extends SkeinException {

    public InvalidRequest(String message) {
        super(FailureKind.INVALID_REQUEST, "request.invalid", message, null);
    }
}
