package dev.skein.server.trace;

import dev.skein.engine.Hooks;
import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.session.LoopId;
import dev.skein.tool.ToolOutcome;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A span for a run, and within it one for each model call and each tool call. What is said in them is not noted: only
/// names, numbers and outcomes.
final class SpanHooks implements Hooks {

    private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("gen_ai.operation.name");
    private static final AttributeKey<String> PROVIDER = AttributeKey.stringKey("gen_ai.provider.name");
    private static final AttributeKey<String> MODEL = AttributeKey.stringKey("gen_ai.request.model");
    private static final AttributeKey<String> CONVERSATION = AttributeKey.stringKey("gen_ai.conversation.id");
    private static final AttributeKey<Long> INPUT = AttributeKey.longKey("gen_ai.usage.input_tokens");
    private static final AttributeKey<Long> OUTPUT = AttributeKey.longKey("gen_ai.usage.output_tokens");
    private static final AttributeKey<List<String>> FINISH =
            AttributeKey.stringArrayKey("gen_ai.response.finish_reasons");
    private static final AttributeKey<String> TOOL = AttributeKey.stringKey("gen_ai.tool.name");
    private static final AttributeKey<String> TOOL_CALL = AttributeKey.stringKey("gen_ai.tool.call.id");
    private static final AttributeKey<String> LOOP = AttributeKey.stringKey("skein.loop_id");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("skein.outcome");

    private final Tracer tracer;
    private final Context request;
    private final @Nullable ModelName model;
    private final @Nullable String session;
    private final ConcurrentHashMap<String, Span> open = new ConcurrentHashMap<>();

    SpanHooks(Tracer tracer, Context request, @Nullable ModelName model, @Nullable String session) {
        this.tracer = tracer;
        this.request = request;
        this.model = model;
        this.session = session;
    }

    @Override
    public Optional<String> beforeLoop(LoopId loop) {
        begin(loopKey(loop), "invoke_agent", "invoke_agent skein", SpanKind.INTERNAL, request)
                .setAttribute(LOOP, loop.toString());
        return Optional.empty();
    }

    @Override
    public void afterLoop(RunOutcome outcome) {
        // A model call that failed has no reply and ends with its run.
        end(turnKey(outcome.loop()), span -> span.setStatus(StatusCode.ERROR));
        end(
                loopKey(outcome.loop()),
                span -> span.setAttribute(OUTCOME, outcome.status().toString())
                        .setAttribute(INPUT, outcome.usage().inputTokens())
                        .setAttribute(OUTPUT, outcome.usage().outputTokens()));
    }

    @Override
    public Optional<String> beforeTurn(LoopId loop, int turn, ModelRequest asked) {
        end(turnKey(loop), span -> span.setStatus(StatusCode.ERROR));
        var name = model == null ? "chat" : "chat " + model.model();
        begin(turnKey(loop), "chat", name, SpanKind.CLIENT, within(loopKey(loop)))
                .setAttribute(LOOP, loop.toString());
        return Optional.empty();
    }

    @Override
    public void afterTurn(LoopId loop, int turn, ModelReply reply) {
        end(
                turnKey(loop),
                span -> span.setAttribute(INPUT, reply.usage().inputTokens())
                        .setAttribute(OUTPUT, reply.usage().outputTokens())
                        .setAttribute(FINISH, List.of(reply.stopReason().toString())));
    }

    @Override
    public Optional<ToolOutcome> beforeTool(Part.ToolCall call) {
        begin(toolKey(call), "execute_tool", "execute_tool " + call.name(), SpanKind.INTERNAL, anyLoop())
                .setAttribute(TOOL, call.name())
                .setAttribute(TOOL_CALL, call.id().toString());
        return Optional.empty();
    }

    @Override
    public ToolOutcome afterTool(Part.ToolCall call, ToolOutcome outcome) {
        end(toolKey(call), span -> {
            span.setAttribute(OUTCOME, outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT));
            if (!(outcome instanceof ToolOutcome.Answered)) {
                span.setStatus(StatusCode.ERROR);
            }
        });
        return outcome;
    }

    private Span begin(String key, String operation, String name, SpanKind kind, Context parent) {
        var builder =
                tracer.spanBuilder(name).setParent(parent).setSpanKind(kind).setAttribute(OPERATION, operation);
        if (model != null) {
            builder.setAttribute(PROVIDER, model.provider()).setAttribute(MODEL, model.model());
        }
        if (session != null) {
            builder.setAttribute(CONVERSATION, session);
        }
        var span = builder.startSpan();
        open.put(key, span);
        return span;
    }

    private void end(String key, Consumer<Span> last) {
        var span = open.remove(key);
        if (span != null) {
            last.accept(span);
            span.end();
        }
    }

    private Context within(String key) {
        var span = open.get(key);
        return span == null ? request : request.with(span);
    }

    /// A hook of tools is not told the loop; a run has one that is open.
    private Context anyLoop() {
        return open.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("loop "))
                .findFirst()
                .map(entry -> request.with(entry.getValue()))
                .orElse(request);
    }

    private static String loopKey(LoopId loop) {
        return "loop " + loop;
    }

    private static String turnKey(LoopId loop) {
        return "turn " + loop;
    }

    private static String toolKey(Part.ToolCall call) {
        return "tool " + call.id();
    }
}
