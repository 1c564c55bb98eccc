package dev.skein.server.route;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What a request asks for. Whoever authorises a request and whoever answers it look at the same match.
public sealed interface Match {

    /// A route, and what stands in the places of its names.
    record Found(Route route, Map<String, String> parameters) implements Match {}

    /// The path is right and the method is not; `allowed` are those that would be.
    record WrongMethod(String allowed) implements Match {}

    record Unknown() implements Match {}

    /// The path is not even one.
    record Malformed() implements Match {}

    /// The paths of all routes, in parts, by how many parts they have.
    final class Patterns {
        private static final Map<Integer, List<Pattern>> OF = Arrays.stream(Route.values())
                .map(Pattern::of)
                .collect(Collectors.groupingBy(pattern -> pattern.parts().size()));

        private Patterns() {}
    }

    /// The path of a route, in parts.
    ///
    /// @param names how what stands in each place is called, or empty where the part itself stands
    record Pattern(Route route, List<String> parts, List<String> names) {

        private static Pattern of(Route route) {
            return new Pattern(
                    route,
                    route.segments(),
                    route.segments().stream().map(Pattern::name).toList());
        }

        private static String name(String part) {
            return part.startsWith("{") ? part.substring(1, part.length() - 1) : "";
        }

        private boolean matches(List<String> segments) {
            for (int i = 0; i < parts.size(); i++) {
                var fits = names.get(i).isEmpty()
                        ? parts.get(i).equals(segments.get(i))
                        : !segments.get(i).isEmpty();
                if (!fits) {
                    return false;
                }
            }
            return true;
        }

        private Map<String, String> parameters(List<String> segments) {
            var parameters = new LinkedHashMap<String, String>();
            for (int i = 0; i < names.size(); i++) {
                if (!names.get(i).isEmpty()) {
                    parameters.put(names.get(i), segments.get(i));
                }
            }
            return parameters;
        }
    }

    /// What a request with this method and path asks for.
    ///
    /// @param rawPath as it was sent, without query
    static Match of(String method, String rawPath) {
        var segments = decoded(rawPath);
        if (segments.isEmpty()) {
            return new Malformed();
        }
        var candidates = Patterns.OF.getOrDefault(segments.get().size(), List.of());
        for (var pattern : candidates) {
            if (pattern.route().method().equals(method) && pattern.matches(segments.get())) {
                return new Found(pattern.route(), pattern.parameters(segments.get()));
            }
        }
        var allowed = candidates.stream()
                .filter(pattern -> pattern.matches(segments.get()))
                .map(pattern -> pattern.route().method())
                .collect(Collectors.toCollection(TreeSet::new));
        return allowed.isEmpty() ? new Unknown() : new WrongMethod(String.join(", ", allowed));
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
        if (isPlain(raw)) {
            return Optional.of(raw);
        }
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

    private static boolean isPlain(String raw) {
        for (int i = 0; i < raw.length(); i++) {
            if (raw.charAt(i) == '%' || raw.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private static int hex(String raw, int index) {
        return index < raw.length() ? Character.digit(raw.charAt(index), 16) : -1;
    }
}
