package dev.skein.tools.call;

/// What the model asked for cannot be done as asked. The message is for the model: it names the thing, the fact and
/// the next step.
public final class Refused extends RuntimeException {

    public Refused(String message) {
        super(message);
    }
}
