package dev.skein.failure;

/// Nobody knows who is asking. Why is not told, and the words are always the same.
public final class Unauthorized extends SkeinException {

    public Unauthorized() {
        super(
                FailureKind.UNAUTHORIZED,
                "auth.required",
                "a valid key is needed; send 'Authorization: Bearer KEY', 'skein keys create' makes one",
                null);
    }
}
