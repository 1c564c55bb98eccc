package dev.skein.cli.demo;

import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Terminal;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// A directory of its own with a home and a place to work, and the processes that run there.
///
/// Closing it, or ending the program in any way but `kill -9`, ends the processes and deletes the directory.
final class Stage implements AutoCloseable {

    private static final Pattern SECRET = Pattern.compile(".*(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)");
    private static final Pattern PLAIN_WORD = Pattern.compile("[\\w./=:-]+");

    private static final String CONFIG = """
            model: offline:skein
            permissions:
              allow: [shell]   # nobody is asked here: it is only a demo
            """;

    private final Terminal terminal;
    private final List<String> skein;
    private final Path directory;
    private final Collection<Actor> actors = new ConcurrentLinkedQueue<>();
    private final Thread curtain =
            Thread.ofPlatform().name("skein-demo-curtain").unstarted(this::fall);
    private volatile boolean kept;
    private volatile boolean fallen;

    /// The demo cannot go on.
    static final class Unplayable extends RuntimeException {
        Unplayable(String message) {
            super(message);
        }
    }

    private Stage(Terminal terminal, List<String> skein, Path directory) {
        this.terminal = terminal;
        this.skein = skein;
        this.directory = directory;
    }

    static Stage set(Terminal terminal, List<String> skein) {
        try {
            var stage = new Stage(terminal, skein, Files.createTempDirectory("skein-demo-"));
            Runtime.getRuntime().addShutdownHook(stage.curtain);
            Files.createDirectories(stage.home().resolve("sessions"));
            Files.createDirectory(stage.work());
            Files.writeString(stage.home().resolve("config.yaml"), CONFIG);
            return stage;
        } catch (IOException e) {
            throw dev.skein.failure.StorageFailed.io("set up the demo", e);
        }
    }

    Path directory() {
        return directory;
    }

    Path home() {
        return directory.resolve("home");
    }

    /// Where the tools work.
    Path work() {
        return directory.resolve("work");
    }

    void keep() {
        kept = true;
    }

    /// Starts `skein` with these arguments, as a person sees it, and shows what it says.
    Actor starts(String... args) {
        show(args);
        return start(this::echo, args);
    }

    /// The same for two who say something at once: their lines would mix.
    Actor startsSilently(String... args) {
        return start(_ -> {}, args);
    }

    /// Runs `skein` to its end, which must be a good one.
    Actor runs(String... args) {
        return finished(starts(args), args);
    }

    /// What `skein` answers in JSON, which nobody wants to see.
    JsonNode asks(String... args) {
        var actor = finished(startsSilently(args), args);
        try {
            return Json.MAPPER.readTree(actor.text());
        } catch (JacksonException _) {
            throw new Unplayable("'skein " + String.join(" ", args) + "' did not answer in JSON: " + actor.text());
        }
    }

    void show(String... args) {
        var line = List.of(args).stream().map(Stage::quoted).collect(Collectors.joining(" "));
        terminal.line("  " + terminal.paint(Style.CYAN, "$ skein " + terminal.stored(line, terminal.width() - 10)));
        terminal.flush();
    }

    private static Actor finished(Actor actor, String... args) {
        var code = actor.ended();
        if (code != 0) {
            throw new Unplayable(
                    "'skein " + String.join(" ", args) + "' ended with " + code + ", saying: " + actor.text());
        }
        return actor;
    }

    private Actor start(Consumer<String> onLine, String... args) {
        var command = new ArrayList<>(skein);
        command.addAll(List.of(args));
        var builder = new ProcessBuilder(command)
                .directory(work().toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        var env = builder.environment();
        env.keySet().removeIf(name -> SECRET.matcher(name).matches() || name.startsWith("SKEIN_"));
        env.put("SKEIN_HOME", home().toString());
        try {
            var actor = new Actor(builder.start(), onLine);
            actors.add(actor);
            return actor;
        } catch (IOException e) {
            throw new Unplayable("another skein cannot be started: " + e.getMessage());
        }
    }

    private void echo(String line) {
        synchronized (terminal) {
            terminal.line("    " + terminal.paint(Style.DIM, terminal.stored(line, terminal.width() - 5)));
            terminal.flush();
        }
    }

    /// As one would have to type it.
    private static String quoted(String word) {
        return PLAIN_WORD.matcher(word).matches() ? word : "'" + word + "'";
    }

    @Override
    public void close() {
        clear();
        try {
            Runtime.getRuntime().removeShutdownHook(curtain);
        } catch (IllegalStateException _) {
            // The program is ending, and the curtain falls by itself.
        }
    }

    private void fall() {
        fallen = true;
        clear();
    }

    /// Whether somebody has had enough: what goes wrong from now on is no broken promise.
    boolean isOver() {
        return fallen;
    }

    private void clear() {
        actors.forEach(Actor::close);
        if (kept) {
            return;
        }
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | java.io.UncheckedIOException _) {
            // It is in the directory for temporary files; the system clears it.
        }
    }
}
