package dev.skein.tools.mcp.oauth;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a server said when it refused us: the parameters of `WWW-Authenticate: Bearer`.
record Challenge(Map<String, String> parameters) {

    private static final Pattern PARAMETER =
            Pattern.compile("([A-Za-z_]{1,40})\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.){0,2000})\"|([^\\s,\"]{1,2000}))");

    static Challenge of(List<String> headers) {
        var parameters = new HashMap<String, String>();
        for (var header : headers) {
            if (header.regionMatches(true, 0, "Bearer", 0, 6)) {
                var found = PARAMETER.matcher(header.substring(6));
                while (found.find()) {
                    parameters.putIfAbsent(
                            found.group(1).toLowerCase(Locale.ROOT),
                            found.group(2) == null ? found.group(3) : found.group(2));
                }
            }
        }
        return new Challenge(parameters);
    }

    Optional<URI> resourceMetadata() {
        try {
            return Optional.ofNullable(parameters.get("resource_metadata")).map(URI::create);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    Optional<String> scope() {
        return Optional.ofNullable(parameters.get("scope")).filter(scope -> !scope.isBlank());
    }

    boolean wantsMoreScope() {
        return "insufficient_scope".equals(parameters.get("error"));
    }
}
