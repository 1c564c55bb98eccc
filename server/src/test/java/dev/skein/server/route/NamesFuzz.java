package dev.skein.server.route;

import dev.skein.failure.InvalidAlias;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Paths, ids and names, for `bin/fuzz names`: what is accepted means itself, and leads nowhere else.
public final class NamesFuzz {

    private NamesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        var text = new String(input, StandardCharsets.UTF_8);
        if (Match.of("GET", text) instanceof Match.Found found) {
            found.parameters().values().forEach(NamesFuzz::name);
        }
        name(text);
    }

    private static void name(String text) {
        SessionId.parse(text).ifPresent(id -> {
            if (!id.toString().equalsIgnoreCase(text)) {
                throw new IllegalStateException("id " + id + " of " + text);
            }
        });
        SessionAlias.sanitize(text).ifPresent(alias -> requireSafe(alias.text()));
        try {
            var alias = new SessionAlias(text);
            requireSafe(alias.text());
            if (!new SessionAlias(alias.text()).equals(alias)) {
                throw new IllegalStateException("an alias that is another one: " + text);
            }
        } catch (InvalidAlias _) {
            // Refused, as most are.
        }
    }

    private static void requireSafe(String alias) {
        var path = Path.of("/home").resolve(alias).normalize();
        if (path.getNameCount() != 2
                || !path.startsWith("/home")
                || alias.codePoints().anyMatch(Character::isISOControl)) {
            throw new IllegalStateException("an alias that leads elsewhere: " + alias);
        }
    }
}
