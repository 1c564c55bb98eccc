package dev.skein.cli.demo;

import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// What happens, act by act. After an act in which a promise was broken there is no further one.
final class Story {

    private static final int PROMPTS = 2;
    private static final String DIARY = "diary.txt";

    private static final String PACKING = """
            call shell {"command":"echo packed >> diary.txt"} and call shell {"command":"echo locked >> diary.txt"} \
            and call shell {"command":"echo left >> diary.txt; sleep 60; echo arrived >> diary.txt"}""";

    /// As other tools keep a conversation: one file, whose name is the session's.
    private static final String LEGACY = """
            model: openai:gpt-4o
            temperature: 0.2
            messages:
            - role: user
              content: Which boat goes to the island?
            - role: assistant
              content: The one at 12:30.
            - role: user
              content: And back?
            - role: assistant
              content: |-
                At six,
                if the sea is calm.
            """;

    private final Terminal terminal;
    private final Stage stage;
    private final Promises promises;
    private int act;
    /// The session of the story, as it was when last looked at.
    private JsonNode trip = MissingNode.getInstance();

    Story(Terminal terminal, Stage stage, Promises promises) {
        this.terminal = terminal;
        this.stage = stage;
        this.promises = promises;
    }

    void tell() {
        var acts = List.<Runnable>of(
                this::killed, this::takenUpAgain, this::forked, this::twoAtOnce, this::migrated, this::examined);
        for (var next : acts) {
            if (promises.broken() > 0) {
                return;
            }
            next.run();
        }
    }

    private void killed() {
        act("An agent is killed inside a tool call");
        say("It is asked to run three shell commands side by side. The third takes a minute.");
        var agent = stage.starts("-s", "trip", PACKING);
        var isInside = agent.runsUntil(() -> results(agent) == 2 && diary().contains("left"));
        agent.kill();
        say("Two commands have finished, the third was running: kill -9.");
        promises.check(isInside, "it was killed in the middle of the third command");
        var kept = stage.asks("session", "show", "trip", "--messages", "100", "--json");
        promises.check(text(kept, 0).equals(PACKING), "the prompt is kept");
        promises.check(calls(kept) == 3, "what the model asked for is kept");
        promises.check(results(kept, false) == 2, "the results of the two finished commands are kept");
    }

    private static long results(Actor agent) {
        return agent.said().stream().filter(line -> line.startsWith("< ")).count();
    }

    private void takenUpAgain() {
        act("It is taken up again");
        stage.runs("-c");
        trip = stage.asks("session", "show", "trip", "--messages", "100", "--json");
        promises.check(
                once("packed") && once("locked"), "the finished commands did not run again: each wrote its line once");
        promises.check(once("left") && !diary().contains("arrived"), "nor did the one that was interrupted");
        promises.check(
                results(trip, true) == 1 && last(trip).contains("interrupted"),
                "the model was told that it was interrupted, and to look before it tries again");
        promises.check(role(trip, size(trip) - 1).equals("assistant"), "the run came to its end");
    }

    private void forked() {
        act("A fork tries something else");
        var before = journals();
        stage.runs("session", "fork", "trip", "--name", "detour");
        stage.runs("-s", "detour", "Let us take the train instead");
        var detour = stage.asks("session", "show", "detour", "--messages", "100", "--json");
        promises.check(
                size(detour) == size(trip) + 2
                        && IntStream.range(0, size(trip))
                                .allMatch(i -> text(detour, i).equals(text(trip, i))),
                "the fork remembers all " + size(trip) + " messages, and goes its own way");
        promises.check(
                before.equals(journals().subList(0, before.size())), "the session it left is the same, to the byte");
    }

    private void twoAtOnce() {
        act("Two programs talk in one session at once");
        for (int i = 1; i <= PROMPTS; i++) {
            var left = new String[] {"-s", "trip", "Left says " + i};
            var right = new String[] {"-s", "trip", "Right says " + i};
            stage.show(left);
            stage.show(right);
            var both = List.of(stage.startsSilently(left), stage.startsSilently(right));
            if (both.stream().mapToInt(Actor::ended).anyMatch(code -> code != 0)) {
                promises.check(
                        false,
                        "both got an answer: " + both.get(0).text() + " / "
                                + both.get(1).text());
            }
        }
        trip = stage.asks("session", "show", "trip", "--messages", "100", "--json");
        var said = new ArrayList<String>();
        var answered = 0;
        for (int i = 0; i < size(trip); i++) {
            if (role(trip, i).equals("user") && text(trip, i).matches("(Left|Right) says .")) {
                said.add(text(trip, i));
                answered += i + 1 < size(trip) && text(trip, i + 1).endsWith("You said: " + text(trip, i)) ? 1 : 0;
            }
        }
        promises.check(said.size() == 2 * PROMPTS, "nothing is lost: all " + 2 * PROMPTS + " prompts are there");
        promises.check(said.stream().distinct().count() == said.size(), "nothing is there twice");
        promises.check(answered == said.size(), "nothing is mixed: each is followed by its own answer");
        promises.check(isOrdered(said, "Left") && isOrdered(said, "Right"), "each is in the order it was said");
    }

    private static boolean isOrdered(List<String> said, String who) {
        var own = said.stream().filter(text -> text.startsWith(who)).toList();
        return own.equals(own.stream().sorted().toList());
    }

    private void migrated() {
        act("A conversation of another tool is brought in");
        say("Here is one that Loki left in sessions/island.yaml.");
        var file = stage.home().resolve("sessions").resolve("island.yaml");
        write(file, LEGACY);
        stage.runs("migrate");
        var answer = stage.runs("-s", "island", "-m", "offline:skein", "What did I say before?");
        var island = stage.asks("session", "show", "island", "--messages", "100", "--json");
        promises.check(
                text(island, 1).equals("The one at 12:30.") && text(island, 3).equals("At six,\nif the sea is calm."),
                "all four messages are there, word by word");
        promises.check(
                answer.text().contains("1. Which boat goes to the island?"), "the conversation goes on where it was");
        promises.check(read(file).equals(LEGACY), "the old file is as it was");
    }

    private void examined() {
        act("Everything is looked at");
        stage.runs("session", "tree", "trip");
        var doctor = stage.runs("doctor");
        promises.check(doctor.text().contains("no damage"), "every checksum of every record is right");
    }

    private void act(String title) {
        terminal.line("");
        terminal.line(terminal.paint(Style.BOLD, ++act + ". " + title));
        terminal.flush();
    }

    private void say(String text) {
        terminal.line("  " + text);
        terminal.flush();
    }

    /// What the tools wrote.
    private List<String> diary() {
        var file = stage.work().resolve(DIARY);
        return Files.exists(file) ? read(file).lines().toList() : List.of();
    }

    private boolean once(String line) {
        return diary().stream().filter(line::equals).count() == 1;
    }

    /// All journals as they are on the disk, the oldest first.
    private List<String> journals() {
        try (var sessions = Files.list(stage.home().resolve("sessions/by-id"))) {
            return sessions.sorted()
                    .map(session -> read(session.resolve("journal.jsonl")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int size(JsonNode session) {
        return session.path("messages").size();
    }

    private static String role(JsonNode session, int message) {
        return session.path("messages").path(message).path("role").asString("");
    }

    private static String text(JsonNode session, int message) {
        return session.path("messages")
                .path(message)
                .path("parts")
                .path(0)
                .path("text")
                .asString("");
    }

    private static String last(JsonNode session) {
        return text(session, size(session) - 1);
    }

    private static long calls(JsonNode session) {
        return parts(session).stream()
                .filter(part -> part.path("type").asString("").equals("tool_call"))
                .count();
    }

    private static long results(JsonNode session, boolean failed) {
        return parts(session).stream()
                .filter(part -> part.path("type").asString("").equals("tool_result"))
                .filter(part -> part.path("is_error").asBoolean(false) == failed)
                .count();
    }

    private static List<JsonNode> parts(JsonNode session) {
        return session.path("messages")
                .valueStream()
                .flatMap(message -> message.path("parts").valueStream())
                .toList();
    }
}
