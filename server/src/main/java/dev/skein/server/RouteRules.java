package dev.skein.server;

import dev.skein.server.gate.RouteRule;
import dev.skein.server.gate.Routes;
import dev.skein.server.route.Match;
import dev.skein.server.route.Route;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What the gate has to know of our routes, from the very match by which they are dispatched.
public final class RouteRules implements Routes {

    // Callers are told which method would be right.
    private static final Optional<RouteRule> WRONG_METHOD = Optional.of(RouteRule.callers("wrong method"));

    private static final Map<Route, Optional<RouteRule>> RULES = Arrays.stream(Route.values())
            .collect(Collectors.toMap(
                    route -> route,
                    route -> Optional.of(made(route)),
                    (one, _) -> one,
                    () -> new EnumMap<>(Route.class)));

    @Override
    public Optional<RouteRule> rule(String method, String rawPath) {
        return switch (Match.of(method, rawPath)) {
            case Match.Found found -> RULES.getOrDefault(found.route(), Optional.empty());
            case Match.WrongMethod _ -> WRONG_METHOD;
            case Match.Unknown _, Match.Malformed _ -> Optional.empty();
        };
    }

    private static RouteRule made(Route route) {
        return route.grant()
                .map(grant -> RouteRule.needing(grant, route.path()))
                .orElseGet(() -> switch (route.access()) {
                    case OPEN -> RouteRule.open(route.path());
                    case CALLER -> RouteRule.callers(route.path());
                });
    }
}
