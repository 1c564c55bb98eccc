package dev.skein.cli.secret;

import dev.skein.failure.VaultFailed;
import dev.skein.wire.Json;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// What stands in `vault.yaml`. Bytes are in Base64.
///
/// @param iterations how often a passphrase is hashed; 0 for a random key
/// @param check tells a wrong key from a changed file
/// @param seal over everything else, so that no secret can be taken away, brought back or renamed unnoticed
record Closed(int version, int iterations, String salt, String check, String seal, Map<String, Box> secrets) {

    /// The name of the file in home.
    static final String FILE = "vault.yaml";

    static final int VERSION = 1;
    private static final int ITERATIONS_MAX = 10_000_000;
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");
    private static final YAMLMapper YAML = Json.configure(YAMLMapper.builder()).build();

    /// A secret that nobody can read.
    record Box(String changed, String nonce, String text) {}

    Closed {
        secrets = new TreeMap<>(secrets);
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /// @throws VaultFailed if nothing of the kind stands there
    static Closed parse(String file, String text) {
        try {
            @Nullable Closed closed = YAML.readValue(text, Closed.class);
            if (closed == null) {
                throw VaultFailed.damaged(file, "it is empty");
            }
            closed.requireSound(file);
            return closed;
        } catch (JacksonException e) {
            throw VaultFailed.damaged(file, "line " + e.getLocation().getLineNr() + " cannot be understood");
        }
    }

    String print() {
        return YAML.writeValueAsString(this);
    }

    private void requireSound(String file) {
        if (version != VERSION) {
            throw VaultFailed.damaged(file, "it has version " + version + ", known is " + VERSION);
        }
        if (iterations < 0 || iterations > ITERATIONS_MAX) {
            throw VaultFailed.damaged(file, "iterations are from 0 to " + ITERATIONS_MAX);
        }
        try {
            bytes(salt);
            bytes(check);
            bytes(seal);
            secrets.forEach((name, box) -> {
                if (!isName(name) || box.changed() == null) {
                    throw VaultFailed.damaged(file, "a secret in it has no proper name");
                }
                bytes(box.nonce());
                bytes(box.text());
            });
        } catch (IllegalArgumentException | NullPointerException _) {
            throw VaultFailed.damaged(file, "bytes in it are missing, or not in Base64");
        }
    }

    static byte[] bytes(String base64) {
        return Base64.getDecoder().decode(base64);
    }

    static String text(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
