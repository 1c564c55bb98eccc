package dev.skein.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.UUID;

/// Digests of what was asked for, and ids that follow from them.
public final class Digest {

    private Digest() {}

    /// 43 characters that stand for these texts, in this order.
    public static String of(String... texts) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(texts));
    }

    /// A UUID of version 8 that stands for these texts.
    public static UUID uuid(String... texts) {
        var bytes = ByteBuffer.wrap(sha256(texts));
        var high = (bytes.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
        var low = (bytes.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    private static byte[] sha256(String... texts) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (var text : texts) {
                var bytes = text.getBytes(StandardCharsets.UTF_8);
                digest.update(ByteBuffer.allocate(4).putInt(bytes.length).flip());
                digest.update(bytes);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
