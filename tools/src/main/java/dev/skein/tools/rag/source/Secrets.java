package dev.skein.tools.rag.source;

import java.util.Locale;
import java.util.regex.Pattern;

/// Tells files that hold keys and passwords by their names. They have no place where models look.
final class Secrets {

    private static final Pattern NAMES = Pattern.compile("\\.env(\\..*)?"
            + "|\\.netrc|\\.npmrc|\\.pypirc|\\.pgpass|\\.htpasswd|\\.git-credentials"
            + "|id_(rsa|dsa|ecdsa|ed25519)(\\.pub)?|.*\\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)"
            + "|(secrets?|credentials?|vault|keys)\\.(ya?ml|json|toml|ini|properties|txt)|credentials");

    private Secrets() {}

    static boolean isLikely(String fileName) {
        return NAMES.matcher(fileName.toLowerCase(Locale.ROOT)).matches();
    }
}
