package dev.skein.exchange.history;

import dev.skein.message.Part;
import org.jspecify.annotations.Nullable;

/// Pictures by address: one that holds the picture itself is taken apart.
public final class DataUrl {

    private static final String SCHEME = "data:";
    private static final String BASE64 = ";base64";

    private DataUrl() {}

    /// The picture at this address; `source` is where a person took it from.
    public static Part.Image image(String url, @Nullable String source) {
        var comma = url.indexOf(',');
        if (!url.startsWith(SCHEME) || comma < 0) {
            return new Part.Image(null, null, url, source);
        }
        var type = url.substring(SCHEME.length(), comma);
        if (!type.endsWith(BASE64)) {
            return new Part.Image(null, null, url, source);
        }
        var mimeType = type.substring(0, type.length() - BASE64.length());
        return new Part.Image(mimeType.isEmpty() ? null : mimeType, url.substring(comma + 1), null, source);
    }
}
