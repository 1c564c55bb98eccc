package dev.skein.server;

import dev.skein.server.gate.RouteRule;
import dev.skein.server.gate.Routes;
import dev.skein.server.route.Match;
import dev.skein.server.route.Route;
import java.util.Optional;

/// What the gate has to know of our routes, from the very match by which they are dispatched.
public final class RouteRules implements Routes {

    @Override
    public Optional<RouteRule> rule(String method, String rawPath) {
        return switch (Match.of(method, rawPath)) {
            case Match.Found found -> Optional.of(rule(found.route()));
            // Callers are told which method would be right.
            case Match.WrongMethod _ -> Optional.of(RouteRule.callers("wrong method"));
            case Match.Unknown _, Match.Malformed _ -> Optional.empty();
        };
    }

    private static RouteRule rule(Route route) {
        var rule = route.grant()
                .map(grant -> RouteRule.needing(grant, route.path()))
                .orElseGet(() -> switch (route.access()) {
                    case OPEN -> RouteRule.open(route.path());
                    case CALLER -> RouteRule.callers(route.path());
                });
        return route.streams() ? rule.streaming() : rule;
    }
}
