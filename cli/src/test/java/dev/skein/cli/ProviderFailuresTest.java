package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.Engine;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunRequest;
import dev.skein.engine.RunSettings;
import dev.skein.engine.Workings;
import dev.skein.engine.limit.Limits;
import dev.skein.failure.ModelFailed;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.message.Message;
import dev.skein.message.Role;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.provider.ProviderRegistry;
import dev.skein.provider.ProviderSettings;
import dev.skein.provider.catalog.ModelCatalog;
import dev.skein.session.Ids;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.memory.MemorySessionStore;
import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.testkit.provider.AnthropicWire;
import dev.skein.testkit.provider.Gate;
import dev.skein.testkit.provider.OpenAiWire;
import dev.skein.testkit.provider.ProviderServer;
import dev.skein.testkit.provider.Wire;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.JsonNodeFactory;

/// Whatever a provider does to a run, in the turn after a tool ran: it ends in a failure with a code, or goes on if the
/// provider recovers, and the session is fit for the next prompt.
class ProviderFailuresTest {

    private static final String HALF = "half a";

    private final MemorySessionStore store =
            new MemorySessionStore(Clock.systemUTC(), new Ids(Clock.systemUTC(), new Random(1)));
    private final Engine engine = new Engine(store, Workings.of(Clock.systemUTC(), new Random(2), (_, _) -> {}));
    private final SessionHandle session = store.create(NewSession.in(Scope.LOCAL));

    /// How a provider fails: not at all as it should, before its first word, or in the middle of its reply.
    enum Shape {
        REFUSED_CONNECTION,
        STATUS_401,
        STATUS_404,
        STATUS_429,
        STATUS_500,
        STATUS_529,
        CUT_BEFORE_THE_FIRST_BYTE,
        CUT_IN_THE_MIDDLE,
        GARBAGE_IN_THE_MIDDLE,
        SILENCE_IN_THE_MIDDLE;

        boolean isTransient() {
            return this != STATUS_401 && this != STATUS_404;
        }

        boolean speaksFirst() {
            return this == CUT_IN_THE_MIDDLE || this == GARBAGE_IN_THE_MIDDLE || this == SILENCE_IN_THE_MIDDLE;
        }

        Answer answer(Wire wire, Gate heard) {
            return switch (this) {
                case REFUSED_CONNECTION -> throw new IllegalStateException("nobody answers");
                case STATUS_401, STATUS_404, STATUS_429, STATUS_500, STATUS_529 ->
                    Answer.status(
                            Integer.parseInt(name().substring("STATUS_".length())), "{\"error\":{\"message\":\"no\"}}");
                case CUT_BEFORE_THE_FIRST_BYTE -> new Answer.Broken();
                case CUT_IN_THE_MIDDLE -> Answer.reply(new Step.Say(HALF), new Step.WaitAt(heard), new Step.Cut());
                case GARBAGE_IN_THE_MIDDLE -> Answer.reply(new Step.Say(HALF), new Step.Raw(wire.event("{]")));
                case SILENCE_IN_THE_MIDDLE -> Answer.reply(new Step.Say(HALF), new Step.WaitAt(new Gate()));
            };
        }
    }

    static Stream<Arguments> shapes() {
        return Stream.of("openai", "anthropic")
                .flatMap(provider -> Stream.of(Shape.values()).map(shape -> Arguments.of(provider, shape)));
    }

    /// Those that a provider can recover from without another address.
    static Stream<Arguments> passing() {
        return shapes().filter(arguments ->
                arguments.get()[1] instanceof Shape shape && shape.isTransient() && shape != Shape.REFUSED_CONNECTION);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void a_failure_that_stays_is_told_and_the_session_goes_on(String provider, Shape shape) throws IOException {
        var gate = new Gate();
        try (var server = ProviderServer.speaking(wire(provider));
                var later = ProviderServer.speaking(wire(provider))) {
            server.script(Answer.calls(new Step.Call("c1", "look", "{}")));
            var failing = settings(provider, server, 0);
            if (shape != Shape.REFUSED_CONNECTION) {
                server.script(shape.answer(wire(provider), gate));
            } else {
                failing = failing.withTools(look(server::close));
            }

            var settings = failing;
            var failed = catchThrowableOfType(ModelFailed.class, () -> prompt(settings, "Look around.", opening(gate)));

            assertThat(failed.code()).isEqualTo(shape.isTransient() ? "model.unavailable" : "model.refused");
            assertThat(session.load().path().getLast().status()).isEqualTo(LoopStatus.ABORTED);
            var last = session.context(10).messages().getLast();
            if (shape.speaksFirst()) {
                assertThat(last.text()).isEqualTo(HALF);
                assertThat(String.valueOf(last.reply())).contains("aborted");
            } else {
                assertThat(last.role()).isEqualTo(Role.TOOL);
            }

            later.script(Answer.says("Here I am."));
            assertThat(prompt(settings(provider, later, 0), "And now?", Emitter.NONE)
                            .text())
                    .isEqualTo("Here I am.");
            var asked = later.onlyRequest();
            assertThat(wire(provider).promptsOf(asked)).contains("Look around.", "And now?");
            assertThat(wire(provider).toolResultsOf(asked)).containsExactly(Map.entry("c1", "a lamp"));
        }
    }

    @ParameterizedTest
    @MethodSource("passing")
    void a_failure_that_passes_costs_nothing_but_time(String provider, Shape shape) throws IOException {
        var gate = new Gate();
        try (var server = ProviderServer.speaking(wire(provider))) {
            server.script(
                    Answer.calls(new Step.Call("c1", "look", "{}")),
                    shape.answer(wire(provider), gate),
                    Answer.says("A lamp, ", "I see."));

            var outcome = prompt(settings(provider, server, 2), "Look around.", opening(gate));

            assertThat(outcome.status()).isEqualTo(LoopStatus.COMPLETED);
            assertThat(session.context(10).messages())
                    .extracting(Message::text)
                    .containsExactly("Look around.", "", "a lamp", "A lamp, I see.");
            assertThat(server.requests()).hasSize(3);
        }
    }

    private RunOutcome prompt(RunSettings settings, String text, Emitter emitter) {
        return engine.run(RequestContext.of("r", session, settings), RunRequest.Prompt.text(text), emitter);
    }

    /// Opens the gate when words are heard.
    private static Emitter opening(Gate gate) {
        return event -> {
            if (event.body() instanceof LiveEvent.AssistantDelta) {
                gate.open();
            }
        };
    }

    private static Wire wire(String provider) {
        return provider.equals("openai") ? new OpenAiWire() : new AnthropicWire();
    }

    private static RunSettings settings(String provider, ProviderServer server, int retries) {
        var standard = Limits.standard();
        return RunSettings.of(model(provider, server))
                .withTools(look(() -> {}))
                .withLimits(new Limits(
                        standard.turnsMax(),
                        null,
                        null,
                        standard.timeMax(),
                        standard.toolTimeMax(),
                        standard.toolResultCharsMax(),
                        standard.sameCallMax(),
                        retries));
    }

    private static Model model(String provider, ProviderServer server) {
        var settings = new ProviderSettings(null, server.baseUrl().toString(), null, 1);
        var environment = Map.of("OPENAI_API_KEY", "key-of-a-test", "ANTHROPIC_API_KEY", "key-of-a-test");
        return new ProviderRegistry(environment, ModelCatalog.builtIn(), Map.of(provider, settings))
                .open(new ModelName(provider, "test"));
    }

    private static Tool look(Runnable meanwhile) {
        return new Tool() {
            @Override
            public ToolSpec spec() {
                var nothing = JsonNodeFactory.instance.objectNode().put("type", "object");
                nothing.putObject("properties");
                return new ToolSpec("look", "Looks.", nothing, ToolSpec.Repeat.SAFE, ToolSpec.Effect.READS);
            }

            @Override
            public ToolOutcome run(ToolRequest request, Cancellation cancellation) {
                meanwhile.run();
                return ToolOutcome.Answered.text("a lamp");
            }
        };
    }
}
