package dev.skein.failure;

/// The server has nothing at this address.
public final class NoSuchRoute extends SkeinException {

    public NoSuchRoute() {
        super(
                FailureKind.NOT_FOUND,
                "request.not_found",
                "there is nothing at this address with this method; /openapi.yaml lists what there is",
                null);
    }
}
