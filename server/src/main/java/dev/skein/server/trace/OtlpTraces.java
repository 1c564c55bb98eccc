package dev.skein.server.trace;

import static java.util.Objects.requireNonNullElse;

import dev.skein.engine.Hooks;
import dev.skein.model.ModelName;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Spans that are sent over OTLP. The first use loads OpenTelemetry.
public final class OtlpTraces implements Traces {

    private static final int CLOSE_SECONDS = 5;
    private static final Duration SEND_TIME = Duration.ofSeconds(5);
    private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");
    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    private static final AttributeKey<String> REQUEST = AttributeKey.stringKey("skein.request_id");
    private static final long SERVER_ERROR = 500;

    private final SdkTracerProvider provider;
    private final Tracer tracer;

    /// Through a processor of somebody else.
    public OtlpTraces(SpanProcessor processor, String service) {
        this.provider = SdkTracerProvider.builder()
                .setResource(Resource.getDefault().merge(Resource.create(Attributes.of(SERVICE, service))))
                .addSpanProcessor(processor)
                .build();
        this.tracer = provider.get("dev.skein");
    }

    static OtlpTraces to(String endpoint, Map<String, String> env) {
        var base = endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint;
        var exporter =
                OtlpHttpSpanExporter.builder().setEndpoint(base + "/v1/traces").setTimeout(SEND_TIME);
        headers(env.getOrDefault("OTEL_EXPORTER_OTLP_HEADERS", "")).forEach(exporter::addHeader);
        return new OtlpTraces(
                BatchSpanProcessor.builder(exporter.build()).build(),
                requireNonNullElse(env.get("OTEL_SERVICE_NAME"), "skein"));
    }

    private static Map<String, String> headers(String text) {
        var headers = new LinkedHashMap<String, String>();
        for (var pair : text.split(",")) {
            var equals = pair.indexOf('=');
            if (equals > 0) {
                headers.put(
                        pair.substring(0, equals).strip(),
                        pair.substring(equals + 1).strip());
            }
        }
        return headers;
    }

    @Override
    public RequestSpan request(Incoming request) {
        var span = tracer.spanBuilder(request.method() + " " + request.route())
                .setParent(parent(request.traceparent()))
                .setSpanKind(SpanKind.SERVER)
                .setAttribute(METHOD, request.method())
                .setAttribute(ROUTE, request.route())
                .setAttribute(REQUEST, request.requestId())
                .startSpan();
        return new LiveSpan(span);
    }

    private static Context parent(@Nullable String traceparent) {
        return traceparent == null
                ? Context.root()
                : W3CTraceContextPropagator.getInstance().extract(Context.root(), traceparent, new TraceParent());
    }

    @Override
    public void close() {
        provider.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
    }

    private final class LiveSpan implements RequestSpan {

        private final Span span;

        private LiveSpan(Span span) {
            this.span = span;
        }

        @Override
        public void answered(int status) {
            span.setAttribute(STATUS, (long) status);
            if (status >= SERVER_ERROR) {
                span.setStatus(StatusCode.ERROR);
            }
        }

        @Override
        public Hooks hooks(@Nullable ModelName model, @Nullable String session) {
            return new SpanHooks(tracer, Context.root().with(span), model, session);
        }

        @Override
        public void close() {
            span.end();
        }
    }

    /// The one header that carries a trace.
    private static final class TraceParent implements TextMapGetter<String> {

        @Override
        @SuppressWarnings("deprecation")
        public Iterable<String> keys(String carrier) {
            return List.of("traceparent");
        }

        @Override
        public @Nullable String get(@Nullable String carrier, String key) {
            return key.equals("traceparent") ? carrier : null;
        }
    }
}
