package dev.skein.server;

import dev.skein.server.auth.Authentication;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.http.Problem;
import dev.skein.server.route.Match;
import dev.skein.server.route.Route;
import dev.skein.session.Ids;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;

/// Lets only recognised callers through, to routes for which they have the grant.
public record BearerFilter(Authentication authentication, Ids ids) implements Filter {

    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        var id = ids.request();
        response.header(HeaderNames.create(Exchange.REQUEST_ID), id);
        var match = Match.of(
                request.prologue().method().text(), request.prologue().uriPath().rawPath());
        var open = match instanceof Match.Found found && found.route().access() == Route.Access.OPEN;
        var caller = authentication.caller(
                request.headers().first(HeaderNames.AUTHORIZATION).orElse(null));
        if (!open && caller.isEmpty()) {
            refuse(response, HttpFailure.unauthorized(), id);
            return;
        }
        if (match instanceof Match.Found found && caller.isPresent()) {
            var missing = found.route().grant().filter(grant -> !caller.get().may(grant));
            if (missing.isPresent()) {
                refuse(response, HttpFailure.forbidden(missing.get().wire()), id);
                return;
            }
        }
        caller.ifPresent(known -> request.context().register(known));
        chain.proceed();
    }

    private static void refuse(RoutingResponse response, HttpFailure failure, String id) {
        response.header(HeaderNames.CONNECTION, "close");
        Exchange.fail(response, Problem.of(failure, id), id);
    }
}
