package dev.skein.failure;

/// A request is larger than anything that makes sense.
public final class RequestTooLarge extends SkeinException {

    /// `what` completes the sentence "the … of the request".
    public RequestTooLarge(String what) {
        super(
                FailureKind.INVALID_REQUEST,
                "request.too_large",
                "the " + what + " of the request is too large; send less, or raise the limit in config.yaml",
                null);
    }
}
