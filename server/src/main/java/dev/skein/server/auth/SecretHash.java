package dev.skein.server.auth;

import java.security.MessageDigest;
import java.util.HexFormat;

/// What is kept of a secret, ready to be compared.
final class SecretHash {

    private final byte[] salt;
    private final byte[] hash;

    private SecretHash(byte[] salt, byte[] hash) {
        this.salt = salt;
        this.hash = hash;
    }

    static SecretHash ofHex(String salt, String hash) {
        return new SecretHash(HexFormat.of().parseHex(salt), HexFormat.of().parseHex(hash));
    }

    /// Takes as long for a wrong secret as for the right one.
    boolean isOf(String secret) {
        return MessageDigest.isEqual(Bearer.hash(salt, secret), hash);
    }
}
