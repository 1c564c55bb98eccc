package dev.skein.cli.secret;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.cli.secret.Closed.Box;
import dev.skein.failure.VaultFailed;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/// Closes and opens secrets with one key: AES-256-GCM for each, bound to its name, and HMAC-SHA-256 over all.
///
/// Both keys come from one by HKDF. A passphrase is made one by PBKDF2 first, often enough to be dear to guess.
final class Sealing {

    private static final int ITERATIONS = 600_000;
    private static final int SALT_BYTES = 16;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY_BYTES = 32;
    private static final String CONTEXT = "skein vault 1 ";

    private final int iterations;
    private final byte[] salt;
    private final SecretKey boxes;
    private final SecretKey seals;
    private final SecureRandom random;

    private Sealing(VaultKey key, int iterations, byte[] salt, SecureRandom random) {
        this.iterations = iterations;
        this.salt = salt;
        this.random = random;
        var master = key.isRandom() ? key.bits() : stretched(key.text(), salt, iterations);
        this.boxes = derived(master, "boxes", "AES");
        this.seals = derived(master, "seals", "HmacSHA256");
    }

    /// For a vault that is made now.
    static Sealing fresh(VaultKey key, SecureRandom random) {
        return new Sealing(key, key.isRandom() ? 0 : ITERATIONS, bytes(random, SALT_BYTES), random);
    }

    /// For one that is there.
    ///
    /// @throws VaultFailed if the key does not fit, or the file is not as it was left
    static Sealing of(String file, Closed closed, VaultKey key, SecureRandom random) {
        if (key.isRandom() != (closed.iterations() == 0)) {
            throw VaultFailed.wrongKey(file, key.where());
        }
        var sealing = new Sealing(key, closed.iterations(), Closed.bytes(closed.salt()), random);
        if (!MessageDigest.isEqual(sealing.check(), Closed.bytes(closed.check()))) {
            throw VaultFailed.wrongKey(file, key.where());
        }
        if (!MessageDigest.isEqual(sealing.seal(closed.secrets()), Closed.bytes(closed.seal()))) {
            throw VaultFailed.damaged(file, "its seal is broken");
        }
        return sealing;
    }

    /// What can be written down.
    Closed closed(Map<String, Box> secrets) {
        return new Closed(
                Closed.VERSION,
                iterations,
                Closed.text(salt),
                Closed.text(check()),
                Closed.text(seal(secrets)),
                secrets);
    }

    Box close(String name, String secret, Instant now) {
        var nonce = bytes(random, NONCE_BYTES);
        try {
            var bytes = cipher(Cipher.ENCRYPT_MODE, name, nonce).doFinal(secret.getBytes(UTF_8));
            return new Box(now.toString(), Closed.text(nonce), Closed.text(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM is in every JDK", e);
        }
    }

    /// @throws VaultFailed if this box was not closed with this key under this name
    String open(String file, String name, Box box) {
        try {
            var bytes =
                    cipher(Cipher.DECRYPT_MODE, name, Closed.bytes(box.nonce())).doFinal(Closed.bytes(box.text()));
            return new String(bytes, UTF_8);
        } catch (GeneralSecurityException _) {
            throw VaultFailed.damaged(file, "the secret '" + name + "' cannot be opened");
        }
    }

    private Cipher cipher(int mode, String name, byte[] nonce) throws GeneralSecurityException {
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, boxes, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((CONTEXT + name).getBytes(UTF_8));
        return cipher;
    }

    private byte[] check() {
        return mac().doFinal((CONTEXT + "check").getBytes(UTF_8));
    }

    private byte[] seal(Map<String, Box> secrets) {
        var mac = mac();
        for (var entry : new TreeMap<>(secrets).entrySet()) {
            var box = entry.getValue();
            for (var part : new String[] {entry.getKey(), box.changed(), box.nonce(), box.text()}) {
                var bytes = part.getBytes(UTF_8);
                mac.update(
                        ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
                mac.update(bytes);
            }
        }
        return mac.doFinal();
    }

    private Mac mac() {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(seals);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HMAC is in every JDK", e);
        }
    }

    private SecretKey derived(byte[] master, String purpose, String algorithm) {
        try {
            var parameters = HKDFParameterSpec.ofExtract()
                    .addIKM(master)
                    .addSalt(salt)
                    .thenExpand((CONTEXT + purpose).getBytes(UTF_8), KEY_BYTES);
            return new SecretKeySpec(KDF.getInstance("HKDF-SHA256").deriveData(parameters), algorithm);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HKDF is in every JDK", e);
        }
    }

    private static byte[] stretched(String passphrase, byte[] salt, int iterations) {
        try {
            var words = new PBEKeySpec(passphrase.toCharArray(), salt, Math.max(1, iterations), KEY_BYTES * 8);
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(words)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("PBKDF2 is in every JDK", e);
        }
    }

    private static byte[] bytes(SecureRandom random, int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
