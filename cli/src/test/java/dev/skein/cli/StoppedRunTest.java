package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.Engine;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunOptions;
import dev.skein.engine.RunRequest;
import dev.skein.engine.RunSettings;
import dev.skein.engine.Steering;
import dev.skein.engine.Workings;
import dev.skein.engine.household.SubAgent;
import dev.skein.live.CollectingEmitter;
import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
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
import dev.skein.testkit.ScriptedModel;
import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.Gate;
import dev.skein.testkit.provider.OpenAiWire;
import dev.skein.testkit.provider.ProviderServer;
import dev.skein.tool.Tool;
import dev.skein.tools.BuiltInTools;
import dev.skein.tools.ToolOptions;
import dev.skein.tools.files.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

/// A run that is stopped stops within two seconds, whatever it waits for, and leaves nothing running.
class StoppedRunTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration KILLED = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final MemorySessionStore store =
            new MemorySessionStore(Clock.systemUTC(), new Ids(Clock.systemUTC(), new SecureRandom()));
    private final Engine engine = new Engine(store, Workings.real());
    private final SessionHandle session = store.create(NewSession.in(Scope.LOCAL));
    private final Cancellation cancellation = new Cancellation();

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void while_a_provider_is_silent() throws Exception {
        try (var server = ProviderServer.speaking(new OpenAiWire())) {
            var gate = new Gate();
            server.script(new Answer.Held(gate, Answer.says("too late")));

            var running = start(RunSettings.of(model(server)));
            gate.awaitArrival();

            assertStopsSoon(running);
            gate.open();
        }
    }

    @Test
    void while_a_command_sleeps() throws Exception {
        var word = "sleeper-" + session.id();

        var running = start(running("echo " + word + " > /dev/null; sleep 60"));
        await(() -> processesWith(word) > 0, PATIENCE);

        assertStopsSoon(running);
        await(() -> processesWith(word) == 0, KILLED);
    }

    @Test
    void while_a_command_floods_and_ignores_polite_signals_with_all_that_it_started() throws Exception {
        var word = "flooder-" + session.id();
        var stubborn = "trap '' TERM INT HUP; while :; do echo " + word + " $$; done";

        var running = start(running("(" + stubborn + ") & (" + stubborn + ") >&2 & " + stubborn));
        await(() -> processesWith(word) > 2, PATIENCE);

        assertStopsSoon(running);
        await(() -> processesWith(word) == 0, KILLED);
    }

    @Test
    void while_a_sub_agent_waits_for_its_provider() throws Exception {
        try (var server = ProviderServer.speaking(new OpenAiWire())) {
            var gate = new Gate();
            server.script(new Answer.Held(gate, Answer.says("too late")));
            var ids = new Ids(Clock.systemUTC(), new Random(3));
            var helper =
                    new SubAgent(engine, store, ids, Scope.LOCAL, "helper", "Helps.", RunSettings.of(model(server)));
            var asking = ScriptedModel.of(new Part.ToolCall(
                    new ToolCallId("c1"),
                    "helper",
                    JsonNodeFactory.instance.objectNode().put("task", "wait"),
                    null));

            var running = start(RunSettings.of(asking).withTools(helper));
            gate.awaitArrival();

            assertStopsSoon(running);
            gate.open();
        }
    }

    private CompletableFuture<RunOutcome> start(RunSettings settings) {
        var context = new RequestContext("r", session, settings, RunOptions.library(), new Steering(), cancellation);
        return CompletableFuture.supplyAsync(
                () -> engine.run(context, RunRequest.Prompt.text("Go."), new CollectingEmitter()),
                Thread::startVirtualThread);
    }

    private void assertStopsSoon(CompletableFuture<RunOutcome> running) throws Exception {
        var asked = System.nanoTime();
        cancellation.cancel("enough");
        var outcome = running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(SOON);
        assertThat(outcome.status()).isEqualTo(LoopStatus.ABORTED);
        assertThat(session.load().loops()).allMatch(loop -> loop.status().ended());
    }

    /// A model that wants the shell to run this, and the shell.
    private RunSettings running(String command) throws IOException {
        var options = ToolOptions.defaults(Map.of("PATH", "/usr/bin:/bin"));
        List<Tool> tools = BuiltInTools.in(Workspace.at(directory), options).tools();
        var call = new Part.ToolCall(
                new ToolCallId("c1"),
                "shell",
                JsonNodeFactory.instance.objectNode().put("command", command),
                null);
        return RunSettings.of(ScriptedModel.of(call)).withTools(tools);
    }

    private static Model model(ProviderServer server) {
        var settings = new ProviderSettings(null, server.baseUrl().toString(), null, null);
        return new ProviderRegistry(
                        Map.of("OPENAI_API_KEY", "key-of-a-test"), ModelCatalog.builtIn(), Map.of("openai", settings))
                .open(new ModelName("openai", "test"));
    }

    /// How many processes of this machine have the word in their command line.
    private static long processesWith(String word) {
        try (var processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process -> String.valueOf(process.getFileName()).matches("[0-9]+"))
                    .filter(process -> commandLine(process).contains(word))
                    .count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"));
        } catch (IOException _) {
            return "";
        }
    }

    private static void await(BooleanSupplier condition, Duration patience) {
        var deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
