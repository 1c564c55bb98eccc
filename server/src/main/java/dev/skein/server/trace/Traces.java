package dev.skein.server.trace;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where spans go. Nothing of OpenTelemetry is loaded while they go nowhere.
public interface Traces extends AutoCloseable {

    /// Nowhere.
    Traces OFF = new Traces() {
        @Override
        public RequestSpan request(Incoming request) {
            return RequestSpan.NONE;
        }

        @Override
        public void close() {}
    };

    /// A request as a span tells it. `route` is a template, `traceparent` what the client sent of its own trace.
    record Incoming(
            String method,
            String route,
            String requestId,
            @Nullable String traceparent) {}

    RequestSpan request(Incoming request);

    /// Sends what is not sent yet, for a few seconds at most.
    @Override
    void close();

    /// To the endpoint that `OTEL_EXPORTER_OTLP_ENDPOINT` names, or nowhere.
    static Traces fromEnvironment(Map<String, String> env) {
        var endpoint = env.getOrDefault("OTEL_EXPORTER_OTLP_ENDPOINT", "");
        return endpoint.isBlank() || "true".equalsIgnoreCase(env.get("OTEL_SDK_DISABLED"))
                ? OFF
                : OtlpTraces.to(endpoint, env);
    }
}
