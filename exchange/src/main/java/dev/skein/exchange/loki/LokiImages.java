package dev.skein.exchange.loki;

import dev.skein.exchange.history.DataUrl;
import dev.skein.exchange.loki.YamlValue.Mapping;
import dev.skein.message.Part;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Pictures: a data URL is taken apart, and the file it came from is found by the hash of the URL.
record LokiImages(@Nullable Mapping paths) {

    Part.Image image(String url) {
        return DataUrl.image(url, source(url));
    }

    private @Nullable String source(String url) {
        return paths == null ? null : paths.text(sha256(url));
    }

    private static String sha256(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
