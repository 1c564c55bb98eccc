package dev.skein.tools.mcp.wire;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Locale;

/// What can be said about a response before it is read.
final class Responses {

    private Responses() {}

    /// Its media type, without parameters.
    static String type(HttpResponse<?> response) {
        return response.headers()
                .firstValue("content-type")
                .orElse("")
                .replaceFirst(";.*", "")
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    /// Whether the server does not know us, or not well enough.
    static boolean isRefusal(HttpResponse<?> response) {
        return response.statusCode() == 401 || response.statusCode() == 403;
    }

    /// Why there is none.
    static String words(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
