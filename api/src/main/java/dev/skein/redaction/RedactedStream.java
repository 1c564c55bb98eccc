package dev.skein.redaction;

import java.util.List;

/// A text that comes in pieces, without the values a [Redaction] knows, wherever the pieces were broken.
///
/// What may be the beginning of such a value is held back until more is known. Used by one thread.
public final class RedactedStream {

    private final Redaction redaction;
    private final List<String> secrets;
    private String held = "";

    RedactedStream(Redaction redaction, List<String> secrets) {
        this.redaction = redaction;
        this.secrets = secrets;
    }

    /// What can be passed on now that this piece has come; perhaps nothing.
    public String add(String piece) {
        if (secrets.isEmpty()) {
            return piece;
        }
        var text = held + piece;
        var cut = cut(text);
        held = text.substring(cut);
        return redaction.redactKnown(text.substring(0, cut));
    }

    /// What was held back, now that no more comes.
    public String rest() {
        var rest = redaction.redactKnown(held);
        held = "";
        return rest;
    }

    /// Up to where nothing depends on what comes next: not within a value, nor within the beginning of one.
    private int cut(String text) {
        var cut = text.length();
        for (var secret : secrets) {
            var longest = Math.min(secret.length() - 1, text.length());
            for (int length = longest; length > text.length() - cut; length--) {
                if (secret.regionMatches(0, text, text.length() - length, length)) {
                    cut = text.length() - length;
                }
            }
        }
        for (var before = -1; before != cut; ) {
            before = cut;
            for (var secret : secrets) {
                var at = text.lastIndexOf(secret, cut - 1);
                if (cut > 0 && at >= 0 && at + secret.length() > cut) {
                    cut = at;
                }
            }
        }
        return cut;
    }
}
