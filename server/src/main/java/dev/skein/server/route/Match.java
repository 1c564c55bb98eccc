package dev.skein.server.route;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a request asks for. Whoever authorises a request and whoever answers it look at the same match.
public sealed interface Match {

    /// A route, and what stands in the places of its names.
    record Found(Route route, Map<String, String> parameters) implements Match {}

    /// The path is right and the method is not; `allowed` are those that would be.
    record WrongMethod(String allowed) implements Match {}

    record Unknown() implements Match {}

    /// The path is not even one.
    record Malformed() implements Match {}

    /// The paths of all routes, in parts.
    final class Patterns {
        private static final Map<Route, List<String>> OF = Arrays.stream(Route.values())
                .collect(Collectors.toMap(
                        route -> route, Route::segments, (one, _) -> one, () -> new EnumMap<>(Route.class)));

        private Patterns() {}
    }

    /// What a request with this method and path asks for.
    ///
    /// @param rawPath as it was sent, without query
    static Match of(String method, String rawPath) {
        var segments = decoded(rawPath);
        if (segments.isEmpty()) {
            return new Malformed();
        }
        var allowed = new TreeSet<String>();
        for (var route : Route.values()) {
            var parameters = parameters(route, segments.get());
            if (parameters != null) {
                if (route.method().equals(method)) {
                    return new Found(route, parameters);
                }
                allowed.add(route.method());
            }
        }
        return allowed.isEmpty() ? new Unknown() : new WrongMethod(String.join(", ", allowed));
    }

    private static @Nullable Map<String, String> parameters(Route route, List<String> segments) {
        var pattern = Patterns.OF.getOrDefault(route, List.of());
        if (pattern.size() != segments.size()) {
            return null;
        }
        var parameters = new LinkedHashMap<String, String>();
        for (int i = 0; i < pattern.size(); i++) {
            var expected = pattern.get(i);
            var actual = segments.get(i);
            if (expected.startsWith("{")) {
                if (actual.isEmpty()) {
                    return null;
                }
                parameters.put(expected.substring(1, expected.length() - 1), actual);
            } else if (!expected.equals(actual)) {
                return null;
            }
        }
        return parameters;
    }

    private static Optional<List<String>> decoded(String rawPath) {
        if (!rawPath.startsWith("/")) {
            return Optional.empty();
        }
        var segments = new ArrayList<String>();
        for (var raw : rawPath.substring(1).split("/", -1)) {
            var segment = decode(raw);
            if (segment.isEmpty()) {
                return Optional.empty();
            }
            segments.add(segment.get());
        }
        return Optional.of(segments);
    }

    /// Undoes percent-encoding; empty if it is wrong or does not give UTF-8.
    private static Optional<String> decode(String raw) {
        var bytes = ByteBuffer.allocate(raw.length() * 4);
        for (int i = 0; i < raw.length(); i++) {
            var c = raw.charAt(i);
            if (c != '%') {
                bytes.put(Character.toString(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            var high = hex(raw, i + 1);
            var low = hex(raw, i + 2);
            if (high < 0 || low < 0) {
                return Optional.empty();
            }
            bytes.put((byte) (high * 16 + low));
            i += 2;
        }
        try {
            return Optional.of(
                    StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString());
        } catch (CharacterCodingException _) {
            return Optional.empty();
        }
    }

    private static int hex(String raw, int index) {
        return index < raw.length() ? Character.digit(raw.charAt(index), 16) : -1;
    }
}
