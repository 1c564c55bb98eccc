package dev.skein.provider;

import dev.skein.failure.InvalidRequest;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What settings say about a provider, by its name: another address for one we know, or one of one's own.
///
/// There is no place for a key, only for the name of the variable that holds it.
///
/// @param type which format it speaks; `openai-compatible` if nobody says
/// @param keyEnv the variable of the environment that holds its key
/// @param idleTimeout after how many seconds without a byte a reply is given up
public record ProviderSettings(
        @Nullable String type,
        @Nullable String baseUrl,
        @Nullable String keyEnv,
        @Nullable Integer idleTimeout) {

    /// Not what a key looks like: one that was put here by mistake must not be repeated in a message.
    private static final Pattern VARIABLE = Pattern.compile("[A-Z_][A-Z0-9_]{0,63}");

    public ProviderSettings {
        if (keyEnv != null && !VARIABLE.matcher(keyEnv).matches()) {
            throw new InvalidRequest("key_env names a variable of the environment, in capitals, such as GROQ_API_KEY; "
                    + "put the key into that variable, not here");
        }
        if (idleTimeout != null && idleTimeout <= 0) {
            throw new InvalidRequest("idle_timeout is a number of seconds above 0, not " + idleTimeout);
        }
    }

    @Nullable
    Duration silence() {
        return idleTimeout == null ? null : Duration.ofSeconds(idleTimeout);
    }
}
