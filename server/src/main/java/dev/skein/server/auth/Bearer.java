package dev.skein.server.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Secrets in an `Authorization` header: how they are read, made and compared.
final class Bearer {

    private static final String SCHEME = "Bearer ";
    private static final int LENGTH_MAX = 8 * 1024;
    private static final int SECRET_BYTES = 32;

    private Bearer() {}

    static Optional<String> token(@Nullable String authorization) {
        if (authorization == null
                || authorization.length() > LENGTH_MAX
                || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        var token = authorization.substring(SCHEME.length()).strip();
        return token.isEmpty() ? Optional.empty() : Optional.of(token);
    }

    /// 256 random bits.
    static String newSecret(SecureRandom random) {
        var bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    static byte[] hash(byte[] salt, String secret) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(salt);
            return digest.digest(secret.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
