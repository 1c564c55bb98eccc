package dev.skein.provider.remote;

/// A failure that the provider reported in the middle of a stream.
public final class ProviderSaid extends RuntimeException {

    private final boolean isTransient;

    public ProviderSaid(String message, boolean isTransient) {
        super(message);
        this.isTransient = isTransient;
    }

    public boolean isTransient() {
        return isTransient;
    }
}
