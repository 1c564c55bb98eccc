package dev.skein.provider.remote;

/// Carries what a library reported instead of throwing it.
public final class TalkFailed extends RuntimeException {

    public TalkFailed(Throwable cause) {
        super(cause);
    }
}
