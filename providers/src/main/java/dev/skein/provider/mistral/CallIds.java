package dev.skein.provider.mistral;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Pattern;

/// Ids of tool calls as Mistral wants them. An id from elsewhere becomes one that fits, always the same, so that a
/// call and its result still find each other.
final class CallIds {

    private static final int LENGTH = 9;
    private static final int LETTERS_AND_DIGITS = 36;
    private static final Pattern FITTING = Pattern.compile("[a-zA-Z0-9]{" + LENGTH + "}");

    private CallIds() {}

    static String fit(String id) {
        if (FITTING.matcher(id).matches()) {
            return id;
        }
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(UTF_8));
            var text = new BigInteger(1, digest).toString(LETTERS_AND_DIGITS);
            return text.substring(text.length() - LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
