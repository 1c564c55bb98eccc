package dev.skein.engine;

import static dev.skein.testkit.ScriptedModel.asks;
import static dev.skein.testkit.ScriptedModel.says;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import dev.skein.cancellation.Cancellation;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.message.Usage;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.store.SessionHandle;
import dev.skein.store.file.FileSessionStore;
import dev.skein.testkit.ScriptedModel;
import dev.skein.tool.ToolOutcome;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// An agent in a process of its own, which tests let talk or kill. It ends when its standard input does, so it never
/// outlives the test.
final class ChildAgent {

    static final String READY = "ready";

    /// Several turns; the second asks for three tools at the same time.
    static final ScriptedModel MODEL = ScriptedModel.ofLines(List.of(
            List.of(says("Let me "), says("look."), asks("read", "a")),
            List.of(says("Both now."), asks("write", "b"), asks("read", "c"), asks("write", "d")),
            List.of(asks("write", "e")),
            List.of(says("All "), says("done."))));

    /// So often a run of that script appends.
    static final int APPENDS = 22;

    static final RunRequest PROMPT = RunRequest.Prompt.text("Go.");

    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);

    private ChildAgent() {}

    /// Where the process shall die: `before` or `after` an append, `begun` or `done` of a tool's work, or at a `word`
    /// of the model; the n-th of these.
    record Point(String what, int number) {

        static final Point NEVER = new Point("never", 1);

        static Point parse(String text) {
            var words = text.split("-", 2);
            return new Point(words[0], Integer.parseInt(words[1]));
        }

        @Override
        public String toString() {
            return what + "-" + number;
        }
    }

    /// `die HOME SESSION EFFECTS POINT SEED` or `talk HOME SESSION NAME TIMES`
    public static void main(String[] args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        try (var store = FileSessionStore.open(Path.of(args[1]));
                var session = store.open(Scope.LOCAL, SessionId.parse(args[2]).orElseThrow())) {
            switch (args[0]) {
                case "die" -> {
                    haltAtEnd(in);
                    var point = Point.parse(args[4]);
                    run(
                            store,
                            session,
                            PROMPT,
                            Path.of(args[3]),
                            point,
                            Long.parseLong(args[5]),
                            ChildAgent::awaitDeath);
                }
                case "talk" -> {
                    OUT.println(READY);
                    in.readLine();
                    haltAtEnd(in);
                    talk(store, session, args[3], Integer.parseInt(args[4]));
                }
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
    }

    /// Runs the script, and dies at the point.
    static void run(
            FileSessionStore store,
            SessionHandle session,
            RunRequest request,
            Path effects,
            Point point,
            long seed,
            Runnable death) {
        var doomed = switch (point.what()) {
            case "before" -> new DoomedHandle(session, point.number(), DoomedHandle.Moment.JUST_BEFORE, death);
            case "after" -> new DoomedHandle(session, point.number(), DoomedHandle.Moment.JUST_AFTER, death);
            default -> session;
        };
        var begun = new AtomicInteger();
        var done = new AtomicInteger();
        var random = new Random(seed);
        var write = TestTool.named("write", (value, _) -> {
            if (point.equals(new Point("begun", begun.incrementAndGet()))) {
                death.run();
            }
            // Which of two comes first shall differ from seed to seed.
            for (int i = random.nextInt(5_000); i > 0; i--) {
                Thread.onSpinWait();
            }
            note(effects, value);
            if (point.equals(new Point("done", done.incrementAndGet()))) {
                death.run();
            }
            return ToolOutcome.Answered.text("write of " + value);
        });
        var settings =
                RunSettings.of(MODEL).withTools(TestTool.answering("read").repeatable(), write);
        var words = new AtomicInteger();
        Emitter emitter = event -> {
            if (event.body() instanceof LiveEvent.AssistantDelta
                    && point.equals(new Point("word", words.incrementAndGet()))) {
                death.run();
            }
        };
        try (var engine = new Engine(store, Workings.of(Clock.systemUTC(), new Random(seed), (_, _) -> {}))) {
            engine.run(RequestContext.of("r", doomed, settings), request, emitter);
        }
    }

    /// Says things, one after the other, to a model that repeats them.
    private static void talk(FileSessionStore store, SessionHandle session, String name, int times) {
        var workings = Workings.real().waitingFor(Duration.ofMinutes(2));
        try (var engine = new Engine(store, workings)) {
            for (int i = 0; i < times; i++) {
                engine.run(
                        RequestContext.of(name + "-" + i, session, RunSettings.of(new Echo())),
                        RunRequest.Prompt.text(name + "-" + i),
                        Emitter.NONE);
            }
        }
    }

    /// Repeats what was said last.
    static final class Echo extends TestModels.OneModel {
        @Override
        public ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation stop) {
            var answer = says("You said " + request.messages().getLast().text());
            return new ModelReply(List.of(answer), StopReason.STOP, Usage.NONE, null);
        }
    }

    /// A line that is on the disk when this returns.
    private static void note(Path file, String text) {
        try (var channel = FileChannel.open(file, CREATE, APPEND)) {
            channel.write(ByteBuffer.wrap((text + "\n").getBytes(UTF_8)));
            channel.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitDeath() {
        OUT.println(READY);
        while (true) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException _) {
                // Only a signal ends this.
            }
        }
    }

    private static void haltAtEnd(BufferedReader in) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (in.readLine() != null) {
                    // Nothing is said here any more.
                }
            } catch (IOException _) {
                // As good as the end.
            }
            Runtime.getRuntime().halt(1);
        });
    }
}
