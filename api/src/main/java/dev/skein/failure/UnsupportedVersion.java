package dev.skein.failure;

/// A session was written by a newer Skein than this one.
public final class UnsupportedVersion extends SkeinException {

    public UnsupportedVersion(Object thing, int found, int newest) {
        super(
                FailureKind.IO,
                "session.unsupported_version",
                "%s has format version %d, and this Skein reads up to %d; use a newer Skein"
                        .formatted(thing, found, newest),
                null);
    }
}
