package dev.skein.testkit.provider;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.model.Model;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.model.Sampling;
import dev.skein.session.OutputShape;
import dev.skein.tool.ToolSpec;
import dev.skein.wire.Json;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.node.ObjectNode;

/// What the tests of a model share: a server that speaks its format, and the model that speaks to it.
public abstract class ModelFixture {

    /// The key that [#model] shall use.
    protected static final String KEY = "sk-canary-3141592653";

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    protected final Queue<ReplyFragment> fragments = new ConcurrentLinkedQueue<>();

    // Both are set before each test.
    @SuppressWarnings("NullAway.Init")
    protected Wire wire;

    @SuppressWarnings("NullAway.Init")
    protected ProviderServer server;

    /// The format of the model's provider.
    protected abstract Wire wire();

    /// A model that speaks to this address, with [#KEY].
    ///
    /// @param silence how long it waits for the next byte of a reply
    protected abstract Model model(URI baseUrl, Duration silence);

    protected final Model model(URI baseUrl) {
        return model(baseUrl, PATIENCE);
    }

    @BeforeEach
    void openServer() throws IOException {
        wire = wire();
        server = ProviderServer.speaking(wire);
    }

    @AfterEach
    void closeServer() {
        server.close();
    }

    /// Starts a call in a thread of its own.
    protected <T> CompletableFuture<T> start(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, Thread::startVirtualThread);
    }

    /// Asks the model, once the server knows what to answer.
    protected ModelReply ask(Answer answer, Message... messages) {
        server.script(answer);
        return ask(request(messages));
    }

    protected ModelReply ask(ModelRequest request) {
        return ask(request, new Cancellation());
    }

    protected ModelReply ask(ModelRequest request, Cancellation cancellation) {
        return model(server.baseUrl()).reply(request, fragments::add, cancellation);
    }

    protected static ModelRequest request(Message... messages) {
        return new ModelRequest(null, Arrays.asList(messages), List.of(), Sampling.DEFAULT);
    }

    /// A schema that every provider promises to hold answers to.
    protected static final String THING = """
            {"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}""";

    protected static OutputShape shape(String schema) {
        return new OutputShape("thing", (ObjectNode) Json.MAPPER.readTree(schema));
    }

    /// A request for an answer of this shape.
    protected static ModelRequest shaped(String schema) {
        return new ModelRequest("Be brief.", List.of(user("hi")), List.of(), Sampling.DEFAULT, shape(schema));
    }

    protected static Message user(String text) {
        return message(Role.USER, new Part.Text(text));
    }

    protected static Message message(Role role, Part... parts) {
        return Message.of(new MessageId("m"), role, Instant.EPOCH, parts);
    }

    protected static ToolSpec tool(String name, String schema) {
        var parameters = (ObjectNode) Json.MAPPER.readTree(schema);
        return new ToolSpec(name, "does things", parameters, ToolSpec.Repeat.SAFE, ToolSpec.Effect.READS);
    }

    protected static Part.ToolCall call(String id, String name, String arguments) {
        return new Part.ToolCall(new ToolCallId(id), name, Json.MAPPER.readTree(arguments), null);
    }

    /// All text that was handed over, in order.
    protected String spokenText() {
        return fragments.stream()
                .filter(ReplyFragment.Text.class::isInstance)
                .map(fragment -> ((ReplyFragment.Text) fragment).text())
                .collect(Collectors.joining());
    }

    protected String spokenThoughts() {
        return fragments.stream()
                .filter(ReplyFragment.Thinking.class::isInstance)
                .map(fragment -> ((ReplyFragment.Thinking) fragment).text())
                .collect(Collectors.joining());
    }

    protected String spokenArguments(String call) {
        return fragments.stream()
                .filter(ReplyFragment.ToolArguments.class::isInstance)
                .map(ReplyFragment.ToolArguments.class::cast)
                .filter(fragment -> fragment.call().text().equals(call))
                .map(ReplyFragment.ToolArguments::text)
                .collect(Collectors.joining());
    }
}
