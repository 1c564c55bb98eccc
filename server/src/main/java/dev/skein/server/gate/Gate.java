package dev.skein.server.gate;

import dev.skein.failure.TooManyRequests;
import dev.skein.server.audit.AuditEntry;
import dev.skein.server.audit.AuditLog;
import dev.skein.server.auth.Authentication;
import dev.skein.server.auth.Grant;
import dev.skein.server.connection.Detached;
import dev.skein.server.connection.ListenerRules;
import dev.skein.server.connection.Sequel;
import dev.skein.server.health.Health;
import dev.skein.server.limit.Deadlines;
import dev.skein.server.metrics.Meters;
import dev.skein.server.metrics.Meters.Reason;
import dev.skein.server.trace.RequestSpan;
import dev.skein.server.trace.Traces;
import dev.skein.session.Ids;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Headers;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// What every request passes before its route sees it, in this order and before any of its body is read: a request id,
/// host, origin, number of headers, form of the path, the route itself, who asks, what they may, how often and how many
/// at once. What is refused is answered here.
///
/// ```java
/// var gate = new Gate(options, parts, routes, ids);
/// var routing = HttpRouting.builder();
/// gate.addTo(routing);            // before any route
/// var listener = Listener.open(address, gate.rules(), routing);
/// ```
///
/// A route finds what the gate knows with [Passage#of]. Safe for use by many threads.
public final class Gate implements AutoCloseable {

    /// The key under which logs find the id of the request they are about.
    public static final String REQUEST_ID = "request_id";

    /// The key under which logs find who asks.
    public static final String SUBJECT = "subject";

    /// The key under which logs find the session that a path names.
    public static final String SESSION = "session_id";

    private static final HeaderName TRACE_PARENT = HeaderNames.create("traceparent");
    private static final Pattern SANE_ID = Pattern.compile("[A-Za-z0-9._-]{1,100}");
    private static final String UNKNOWN_ROUTE = "none";

    private final Parts parts;
    private final Routes routes;
    private final Ids ids;
    private final Deadlines deadlines = new Deadlines();
    private final SlowClients slow;
    private final Admission admission;
    private volatile GateOptions options;

    /// What the gate works with.
    public record Parts(Authentication authentication, Meters meters, AuditLog audit, Health health, Traces traces) {}

    public Gate(GateOptions options, Parts parts, Routes routes, Ids ids) {
        this.options = options;
        this.parts = parts;
        this.routes = (method, path) -> operations(method, path).or(() -> routes.rule(method, path));
        this.ids = ids;
        this.slow = new SlowClients(deadlines, options.slow());
        this.admission = new Admission(options, parts.authentication(), System::nanoTime);
    }

    /// Sizes, times and the number of connections, for the listener whose routes are behind [#addTo].
    public ListenerRules rules() {
        return SocketRules.of(options, slow, ids);
    }

    /// Puts the gate before all routes, and adds those of operations: health and metrics.
    public void addTo(HttpRouting.Builder routing) {
        routing.addFilter(this::filter)
                .head("/healthz/live", (_, answer) -> answer.send())
                .head(
                        "/healthz/ready",
                        (_, answer) ->
                                answer.status(status(parts.health().isReady())).send())
                .get("/healthz/live", (_, answer) -> status(answer, true, "live"))
                .get(
                        "/healthz/ready",
                        (_, answer) -> status(answer, parts.health().isReady(), "ready"))
                .get(
                        "/metrics",
                        (_, answer) -> answer.header(HeaderNames.CONTENT_TYPE, Meters.CONTENT_TYPE)
                                .send(parts.meters().scrape()));
    }

    /// Takes new hosts, origins, proxies, rates and numbers at once. Sizes and times stay until the next start.
    public void reload(GateOptions newOptions) {
        options = newOptions;
        admission.change(newOptions);
        parts.authentication().reload();
        parts.audit().add(AuditEntry.ofServer("settings.reload", "ok"));
    }

    /// From now on not ready for more.
    public void drain() {
        parts.health().drain();
    }

    /// What is counted here.
    public Meters meters() {
        return parts.meters();
    }

    /// Where spans go.
    public Traces traces() {
        return parts.traces();
    }

    /// Bounds waits of a route on its client or on others.
    public Deadlines deadlines() {
        return deadlines;
    }

    private static Optional<RouteRule> operations(String method, String path) {
        return switch (method + " " + path) {
            case "GET /healthz/live", "GET /healthz/ready", "HEAD /healthz/live", "HEAD /healthz/ready" ->
                Optional.of(RouteRule.probe(path));
            case "GET /metrics" -> Optional.of(RouteRule.needing(Grant.ADMIN_METRICS, path));
            default -> Optional.empty();
        };
    }

    private static Status status(boolean good) {
        return good ? Status.OK_200 : Status.SERVICE_UNAVAILABLE_503;
    }

    private static void status(ServerResponse answer, boolean good, String word) {
        answer.status(status(good))
                .header(HeaderNames.CONTENT_TYPE, ErrorBody.CONTENT_TYPE)
                .send("{\"status\":\"" + (good ? word : "not " + word) + "\"}");
    }

    private void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        var current = options;
        var visit = new Visit(
                requestId(request),
                Provenance.remote(request.headers(), request.remotePeer().host(), current.proxies()),
                request.prologue().method().text(),
                request.prologue().uriPath().path());
        ResponseHeaders.safe(response.headers(), visit.requestId());
        parts.meters().requestBegan();
        MDC.put(REQUEST_ID, visit.requestId());
        try {
            pass(chain, request, response, visit, current);
        } finally {
            MDC.clear();
            if (!visit.goesOn) {
                ended(visit, response.status().code());
            }
        }
        if (isLast(request, response)) {
            // The web server would go on and read what is left of this request as the next one.
            throw new CloseConnectionException("the answer was the last one");
        }
    }

    private void ended(Visit visit, int status) {
        var template = visit.rule == null ? UNKNOWN_ROUTE : visit.rule.template();
        parts.meters().requestEnded(visit.method(), template, status, visit.age());
    }

    private static boolean isLast(RoutingRequest request, RoutingResponse response) {
        return isLast(response.headers()) || isLast(request.headers());
    }

    private static boolean isLast(Headers headers) {
        return headers.contains(HeaderNames.CONNECTION) && headers.containsToken(HeaderValues.CONNECTION_CLOSE);
    }

    private void pass(
            FilterChain chain, RoutingRequest request, RoutingResponse response, Visit visit, GateOptions current) {
        try {
            guardBody(request, response);
            if (isPreflight(request, response, visit, current)) {
                return;
            }
            visit.rule = Provenance.route(request, response, visit, routes, current);
            var pass = admission.admit(request.headers(), visit.rule, visit.remote());
            try {
                visit.caller = pass.caller();
                if (visit.rule.equals(Provenance.UNKNOWN)) {
                    throw Refusal.noSuchRoute();
                }
                proceed(chain, request, response, visit, pass);
            } finally {
                if (!visit.goesOn) {
                    pass.close();
                }
            }
        } catch (Refusal refusal) {
            refuse(request, response, visit, refusal);
        }
    }

    private void proceed(
            FilterChain chain, RoutingRequest request, RoutingResponse response, Visit visit, Admission.Pass pass) {
        var rule = Objects.requireNonNull(visit.rule);
        var caller = visit.caller;
        if (caller != null) {
            request.context().register(caller);
            MDC.put(SUBJECT, caller.subject());
        }
        rule.parameter("id", visit.path()).ifPresent(id -> MDC.put(SESSION, id));
        var incoming =
                new Traces.Incoming(visit.method(), rule.template(), visit.requestId(), header(request, TRACE_PARENT));
        var span = parts.traces().request(incoming);
        var passage =
                new Passage(visit, rule, caller, parts.authentication(), span, () -> streamBegan(visit), sequel -> {
                    visit.goesOn = true;
                    return goOn(sequel, visit, pass, span, response.status().code());
                });
        request.context().register(passage);
        try {
            chain.proceed();
            span.answered(response.status().code());
        } finally {
            if (!visit.goesOn) {
                answered(visit, rule, span, response.status().code());
            }
        }
    }

    private void answered(Visit visit, RouteRule rule, RequestSpan span, int status) {
        span.close();
        if (visit.streaming) {
            parts.meters().streamClosed();
        }
        note(visit, rule, status);
    }

    /// What was held for the request is held for the rest of its answer.
    private Detached goOn(Sequel sequel, Visit visit, Admission.Pass pass, RequestSpan span, int status) {
        var rule = Objects.requireNonNull(visit.rule);
        return new Detached(out -> {
            try {
                sequel.run(out);
                span.answered(status);
            } finally {
                try (pass) {
                    answered(visit, rule, span, status);
                    ended(visit, status);
                }
            }
        });
    }

    private void streamBegan(Visit visit) {
        visit.streaming = true;
        parts.meters().streamOpened();
    }

    private void guardBody(RoutingRequest request, RoutingResponse response) {
        if (!hasBody(request)) {
            return;
        }
        request.streamFilter(slow::body);
        response.beforeSend(() -> {
            // Who did not wait to be asked for it sends a body that nobody will read, and that is no request.
            if (!request.continueSent()) {
                response.header(HeaderValues.CONNECTION_CLOSE);
            }
        });
    }

    /// What changes something, and what administrators do, is written down.
    private void note(Visit visit, RouteRule rule, int status) {
        var looksOnly = visit.method().equals("GET") || visit.method().equals("HEAD");
        var grant = rule.grant();
        if (visit.caller != null
                && (!looksOnly || (grant != null && grant.wire().startsWith("admin:")))) {
            audit(visit, rule.template(), String.valueOf(status));
        }
    }

    private void audit(Visit visit, String route, String outcome) {
        var caller = visit.caller;
        parts.audit()
                .add(new AuditEntry(
                        visit.method() + " " + route,
                        caller == null ? null : caller.subject(),
                        caller == null
                                ? null
                                : caller.proof().kind() + ":" + caller.proof().id(),
                        visit.rule == null
                                ? null
                                : visit.rule.parameter("id", visit.path()).orElse(null),
                        outcome,
                        visit.requestId(),
                        visit.remote()));
    }

    private void refuse(RoutingRequest request, RoutingResponse response, Visit visit, Refusal refusal) {
        var reason = refusal.reason();
        if (reason != null && refusal.isLimit()) {
            parts.meters().rejected(reason);
        } else if (reason != null) {
            parts.meters().authFailed(reason);
            note(visit, reason, refusal);
        }
        if (refusal.status() == Status.UNAUTHORIZED_401.code()) {
            response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        if (refusal.failure() instanceof TooManyRequests limit) {
            response.header(
                    HeaderNames.RETRY_AFTER, String.valueOf(limit.retryAfter().toSeconds()));
        }
        if (hasBody(request)) {
            // Nobody reads the body, so nobody could find the next request behind it.
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        if (visit.method().equals("HEAD")) {
            response.status(Status.create(refusal.status())).send();
        } else {
            ErrorBody.of(refusal.failure(), visit.requestId()).send(response, refusal.status());
        }
        if (hasBody(request)) {
            slow.drain(request);
        }
    }

    /// Nobody may push others' lines out of the log by being refused often.
    private void note(Visit visit, Reason reason, Refusal refusal) {
        var limited = reason != Reason.HOST && reason != Reason.ORIGIN;
        if (limited || admission.isFirstOfFew(visit.remote())) {
            var rule = visit.rule;
            audit(
                    visit,
                    rule == null ? UNKNOWN_ROUTE : rule.template(),
                    refusal.failure().code());
        }
    }

    /// Answers a browser that asks whether a page of another site may ask.
    private static boolean isPreflight(
            RoutingRequest request, RoutingResponse response, Visit visit, GateOptions current) {
        if (!visit.method().equals("OPTIONS")
                || !request.headers().contains(HeaderNames.ACCESS_CONTROL_REQUEST_METHOD)) {
            return false;
        }
        var host = Provenance.host(request.headers(), current);
        var origin = Provenance.origin(request.headers(), host, current);
        origin.ifPresent(page -> {
            ResponseHeaders.shared(response.headers(), page);
            ResponseHeaders.preflight(response.headers());
        });
        response.status(Status.NO_CONTENT_204).send();
        return true;
    }

    private String requestId(ServerRequest request) {
        var sent = header(request, ResponseHeaders.REQUEST_ID);
        return sent != null && SANE_ID.matcher(sent).matches() ? sent : ids.request();
    }

    private static @Nullable String header(ServerRequest request, HeaderName name) {
        return request.headers().contains(name)
                ? String.join(",", request.headers().values(name))
                : null;
    }

    static boolean hasBody(ServerRequest request) {
        return request.headers().contains(HeaderNames.TRANSFER_ENCODING)
                || request.headers().contentLength().orElse(0) > 0;
    }

    @Override
    public void close() {
        deadlines.close();
    }
}
