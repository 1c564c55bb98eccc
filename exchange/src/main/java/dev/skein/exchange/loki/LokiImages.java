package dev.skein.exchange.loki;

import dev.skein.exchange.loki.YamlValue.Mapping;
import dev.skein.message.Part;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Pictures: a data URL is taken apart, and the file it came from is found by the hash of the URL.
record LokiImages(@Nullable Mapping paths) {

    private static final String SCHEME = "data:";
    private static final String BASE64 = ";base64";

    Part.Image image(String url) {
        var comma = url.indexOf(',');
        if (!url.startsWith(SCHEME) || comma < 0) {
            return new Part.Image(null, null, url, source(url));
        }
        var type = url.substring(SCHEME.length(), comma);
        if (!type.endsWith(BASE64)) {
            return new Part.Image(null, null, url, source(url));
        }
        var mimeType = type.substring(0, type.length() - BASE64.length());
        return new Part.Image(mimeType.isEmpty() ? null : mimeType, url.substring(comma + 1), null, source(url));
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
