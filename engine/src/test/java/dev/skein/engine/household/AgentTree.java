package dev.skein.engine.household;

import static dev.skein.engine.household.AgentBed.all;
import static dev.skein.engine.household.AgentBed.calls;
import static dev.skein.engine.household.AgentBed.says;
import static dev.skein.engine.household.AgentBed.spawns;
import static dev.skein.engine.household.AgentBed.turn;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.message.Part;
import dev.skein.model.ModelRequest;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.store.SessionStore;
import dev.skein.store.file.FileSessionStore;
import dev.skein.tool.ToolSpec;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/// A tree of agents, three levels deep, in a process of its own that a test kills. It tells every step it takes on
/// standard output, and ends when its standard input does.
///
/// The head has `quick` do something and reads the result; then `idle` and `arm` work for it. The arm has a hand, and
/// the hand a finger, which touches something.
final class AgentTree {

    static final String TOUCHING = "touching";

    private AgentTree() {}

    /// `HOME SESSION EFFECTS`
    public static void main(String[] args) throws IOException {
        Thread.ofPlatform().daemon().start(AgentTree::haltAtEnd);
        var out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        try (var store = FileSessionStore.open(Path.of(args[0]));
                var root = store.open(
                        Scope.LOCAL.withAgent("head"), SessionId.parse(args[1]).orElseThrow())) {
            var bed = grown(store, Path.of(args[2]), step -> {
                out.println(step);
                if (step.equals(TOUCHING)) {
                    awaitDeath();
                }
            });
            bed.prompt(root, "Go.");
        }
    }

    private static void awaitDeath() {
        while (true) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException _) {
                // Only a signal ends this.
            }
        }
    }

    private static void haltAtEnd() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said here.
            }
        } catch (IOException _) {
            // As good as the end.
        }
        Runtime.getRuntime().halt(1);
    }

    static AgentBed grown(SessionStore store, Path effects, Consumer<String> steps) {
        var bed = new AgentBed(store);
        for (var tool : List.of("work", "touch")) {
            bed.tool(tool, ToolSpec.Effect.READS, (request, _) -> {
                note(effects, request.call().id() + " " + tool);
                steps.accept(tool.equals("touch") ? TOUCHING : tool);
                return tool + "ed";
            });
        }
        bed.agent("quick", List.of("work"), List.of(), told(steps, request -> using(request, "work")));
        bed.agent("idle", List.of(), List.of(), told(steps, _ -> says("idled")));
        bed.agent("finger", List.of("touch"), List.of(), told(steps, request -> using(request, "touch")));
        bed.agent("hand", List.of(), List.of("finger"), told(steps, request -> delegating(request, "finger")));
        bed.agent("arm", List.of(), List.of("hand"), told(steps, request -> delegating(request, "hand")));
        bed.agent("head", List.of(), List.of("quick", "idle", "arm"), told(steps, request -> switch (turn(request)) {
            case 0 -> List.of(spawns("s1", "quick", "Be quick."));
            case 1 -> List.of(calls("c1", "agent_collect"));
            case 2 -> List.of(spawns("s2", "idle", "Idle."), spawns("s3", "arm", "Touch it."));
            default -> says(all(request).contains("idled") && all(request).contains("finger said") ? "all" : "wait");
        }));
        return bed;
    }

    private static AgentBed.Mind told(Consumer<String> steps, AgentBed.Mind mind) {
        return request -> {
            steps.accept("asked");
            return mind.next(request);
        };
    }

    private static List<Part> using(ModelRequest request, String tool) {
        return turn(request) == 0
                ? List.of(calls("t", tool))
                : says((tool.equals("touch") ? "finger said: " : "quick said: ")
                        + request.messages().getLast().text());
    }

    private static List<Part> delegating(ModelRequest request, String to) {
        return switch (turn(request)) {
            case 0 -> List.of(spawns("s", to, "Touch it."));
            case 1 -> List.of(calls("c", "agent_collect"));
            default -> says(request.messages().getLast().text());
        };
    }

    private static void note(Path file, String text) {
        try {
            Files.writeString(
                    file, text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND, StandardOpenOption.SYNC);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
