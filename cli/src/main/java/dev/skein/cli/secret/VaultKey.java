package dev.skein.cli.secret;

import dev.skein.failure.InvalidRequest;
import dev.skein.failure.VaultFailed;
import dev.skein.server.auth.PrivateFile;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Pattern;

/// The text that opens the vault, and where it was found. Either 256 random bits, or a passphrase.
record VaultKey(String text, String where) {

    /// The variable that holds the key itself.
    static final String VARIABLE = "SKEIN_VAULT_KEY";

    /// The variable that holds the name of a file with the key.
    static final String FILE_VARIABLE = "SKEIN_VAULT_KEY_FILE";

    /// The file in home.
    static final String FILE = "vault.key";

    private static final String PREFIX = "vk1_";
    private static final Pattern RANDOM = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{43}");
    private static final int BYTES = 32;
    private static final int PASSPHRASE_CHARS_MIN = 12;

    VaultKey {
        if (!RANDOM.matcher(text).matches() && text.length() < PASSPHRASE_CHARS_MIN) {
            throw new InvalidRequest("the key in " + where + " is too short to protect anything; a passphrase has "
                    + PASSPHRASE_CHARS_MIN + " characters or more");
        }
    }

    /// Keys of whoever has this home and this environment.
    record Places(Path home, Map<String, String> env) {

        /// @throws VaultFailed if there is none
        VaultKey find(String vault) {
            var variable = env.getOrDefault(VARIABLE, "").strip();
            if (!variable.isEmpty()) {
                return new VaultKey(variable, VARIABLE);
            }
            var file = file();
            var text = file.read()
                    .map(String::strip)
                    .filter(found -> !found.isEmpty())
                    .orElseThrow(() -> VaultFailed.noKey(vault, VARIABLE + " or " + file.path()));
            return new VaultKey(text, file.path().toString());
        }

        /// For a vault that is made now: the key that was told, else a new one in home.
        VaultKey findOrMake(String vault, SecureRandom random) {
            if (!isTold()) {
                file().createIfMissing(
                                PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bits(random)) + "\n");
            }
            return find(vault);
        }

        private boolean isTold() {
            return !env.getOrDefault(VARIABLE, "").isBlank()
                    || !env.getOrDefault(FILE_VARIABLE, "").isBlank();
        }

        private PrivateFile file() {
            var told = env.getOrDefault(FILE_VARIABLE, "").strip();
            return new PrivateFile(told.isEmpty() ? home.resolve(FILE) : Path.of(told));
        }
    }

    boolean isRandom() {
        return RANDOM.matcher(text).matches();
    }

    /// The bits of a random key.
    byte[] bits() {
        return Base64.getUrlDecoder().decode(text.substring(PREFIX.length()));
    }

    private static byte[] bits(SecureRandom random) {
        var bits = new byte[BYTES];
        random.nextBytes(bits);
        return bits;
    }

    /// Not the text.
    @Override
    public String toString() {
        return "the key in " + where;
    }
}
