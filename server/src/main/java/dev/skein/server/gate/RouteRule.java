package dev.skein.server.gate;

import dev.skein.server.auth.Grant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the gate has to know of a route.
///
/// @param template the path with `{name}` for what varies, for example `/v1/sessions/{id}`
/// @param grant what a caller needs, or null if being known is enough
public record RouteRule(
        String template, Access access, @Nullable Grant grant) {

    /// Who gets through.
    public enum Access {
        /// Anybody, under whatever name they call the host: it says nothing but that it lives.
        PROBE,
        /// Anybody whose page is ours.
        OPEN,
        /// Callers.
        CALLERS
    }

    /// Anybody may ask, also a load balancer.
    public static RouteRule probe(String template) {
        return new RouteRule(template, Access.PROBE, null);
    }

    /// Anybody may ask.
    public static RouteRule open(String template) {
        return new RouteRule(template, Access.OPEN, null);
    }

    /// Every caller may ask.
    public static RouteRule callers(String template) {
        return new RouteRule(template, Access.CALLERS, null);
    }

    public static RouteRule needing(Grant grant, String template) {
        return new RouteRule(template, Access.CALLERS, grant);
    }

    /// What stands in a path at the place of `{name}`.
    Optional<String> parameter(String name, String path) {
        var place = template.indexOf("{" + name + "}");
        if (place < 0) {
            return Optional.empty();
        }
        var from = 0;
        for (int at = template.indexOf('/'); at >= 0 && at < place; at = template.indexOf('/', at + 1)) {
            var slash = path.indexOf('/', from);
            if (slash < 0) {
                return Optional.empty();
            }
            from = slash + 1;
        }
        var to = path.indexOf('/', from);
        return Optional.of(path.substring(from, to < 0 ? path.length() : to));
    }
}
