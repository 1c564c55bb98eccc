package dev.skein.server;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.ModelFailed;
import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ModelRequest;
import dev.skein.model.Models;
import dev.skein.model.ReplyFragment;
import dev.skein.model.Sampling;
import dev.skein.session.LoopConfigSnapshot;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import tools.jackson.databind.node.JsonNodeFactory;

/// A model that does what its prompts say, so that a test of the server needs nothing but requests.
///
/// `say X` says X; `count N` speaks N words; `hold X` says a word and goes on when the test opens gate X; `look V` and
/// `act V` use the tool of that name (the second needs a yes); `both V` uses both; `shell C` runs a command line;
/// `fail` fails; everything else is
/// repeated.
final class TalkingModel implements Model, Models {

    static final ModelName NAME = new ModelName("talking", "model");

    private final ConcurrentHashMap<String, CountDownLatch> gates = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, CountDownLatch> arrivals = new ConcurrentHashMap<>();
    final AtomicInteger asked = new AtomicInteger();
    final List<ModelRequest> seen = new CopyOnWriteArrayList<>();

    /// Prompts that stand for others, and what is said after a tool that such a prompt used.
    final ConcurrentHashMap<String, String> stage = new ConcurrentHashMap<>();

    void open(String gate) {
        gate(gates, gate).countDown();
    }

    void awaitArrival(String gate) throws InterruptedException {
        if (!gate(arrivals, gate).await(60, TimeUnit.SECONDS)) {
            throw new AssertionError("nobody came to gate " + gate);
        }
    }

    private static CountDownLatch gate(ConcurrentHashMap<String, CountDownLatch> all, String name) {
        return all.computeIfAbsent(name, _ -> new CountDownLatch(1));
    }

    @Override
    public Model open(ModelName name) {
        if (!name.provider().equals(NAME.provider())) {
            throw new dev.skein.failure.InvalidRequest("there is no provider '" + name.provider() + "'");
        }
        return this;
    }

    @Override
    public ModelName defaultModel() {
        return NAME;
    }

    @Override
    public ModelName name() {
        return NAME;
    }

    @Override
    public boolean understands() {
        return false;
    }

    @Override
    public LoopConfigSnapshot snapshot(Sampling sampling) {
        return LoopConfigSnapshot.of(NAME.provider(), NAME.model());
    }

    @Override
    public ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation cancellation) {
        asked.incrementAndGet();
        seen.add(request);
        var last = request.messages().getLast();
        if (last.role() == Role.TOOL) {
            var after = stage.getOrDefault("after " + prompt(request.messages()), "done: " + last.text());
            return says(after, fragments, cancellation);
        }
        var prompt = prompt(request.messages());
        var words = stage.getOrDefault(prompt, prompt).split(" ", 2);
        return switch (words[0]) {
            case "say" -> says(words[1], fragments, cancellation);
            case "count" -> count(Integer.parseInt(words[1]), fragments, cancellation);
            case "hold" -> hold(words[1], fragments, cancellation);
            case "look", "act" -> uses(List.of(call(words[0], words[1])), fragments);
            case "shell" -> uses(List.of(shell(words[1])), fragments);
            case "both" -> uses(List.of(call("act", words[1]), call("look", words[1])), fragments);
            case "fail" -> throw ModelFailed.refused(NAME, "it was told to", null);
            default -> says("You said: " + String.join(" ", words), fragments, cancellation);
        };
    }

    private static String prompt(List<Message> messages) {
        return messages.reversed().stream()
                .filter(message -> message.role() == Role.USER)
                .findFirst()
                .map(Message::text)
                .orElse("");
    }

    private static Part.ToolCall call(String tool, String value) {
        return new Part.ToolCall(
                new ToolCallId("call-" + tool + "-" + value),
                tool,
                JsonNodeFactory.instance.objectNode().put("value", value),
                null);
    }

    private static Part.ToolCall shell(String command) {
        return new Part.ToolCall(
                new ToolCallId("call-shell"),
                "shell",
                JsonNodeFactory.instance.objectNode().put("command", command),
                null);
    }

    private static ModelReply uses(List<Part.ToolCall> calls, Consumer<ReplyFragment> fragments) {
        fragments.accept(new ReplyFragment.Thinking("which tool? "));
        fragments.accept(new ReplyFragment.Thinking("that one"));
        return new ModelReply(List.copyOf(calls), StopReason.TOOL_USE, Usage.of(10, 5), Cost.ofUsd("0.001"));
    }

    private static ModelReply count(int to, Consumer<ReplyFragment> fragments, Cancellation cancellation) {
        var all = new StringBuilder();
        for (int i = 1; i <= to; i++) {
            cancellation.check();
            fragments.accept(new ReplyFragment.Text(i + " "));
            all.append(i).append(' ');
        }
        return reply(all.toString());
    }

    private ModelReply hold(String gate, Consumer<ReplyFragment> fragments, Cancellation cancellation) {
        fragments.accept(new ReplyFragment.Text("before "));
        gate(arrivals, gate).countDown();
        var waiting = Thread.currentThread();
        try (var _ = cancellation.onCancel(waiting::interrupt)) {
            if (!gate(gates, gate).await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("nobody opened gate " + gate);
            }
        } catch (InterruptedException _) {
            // cancelled
        }
        var _ = Thread.interrupted();
        cancellation.check();
        fragments.accept(new ReplyFragment.Text("after"));
        return reply("before after");
    }

    private static ModelReply says(String text, Consumer<ReplyFragment> fragments, Cancellation cancellation) {
        for (var word : text.split("(?<= )")) {
            cancellation.check();
            fragments.accept(new ReplyFragment.Text(word));
        }
        return reply(text);
    }

    private static ModelReply reply(String text) {
        return new ModelReply(List.of(new Part.Text(text)), StopReason.STOP, Usage.of(10, 5), Cost.ofUsd("0.001"));
    }
}
