package dev.skein.cli.repl;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.settings.SavePolicy;
import dev.skein.cli.terminal.Nearest;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Terminal;
import dev.skein.engine.Overrides;
import dev.skein.model.ModelName;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The commands about models, tools and settings.
final class SettingDots {

    /// The keys of `.set`, for completion.
    static final List<String> KEYS = List.of(
            "temperature",
            "top_p",
            "reasoning_effort",
            "tools",
            "mcp_servers",
            "compression_threshold",
            "window",
            "stream",
            "save_session");

    private static final String DEFAULT = "default";

    private final Program program;
    private final Desk desk;
    private final List<Setting> settings;

    /// Something that can be set. `set` gets null for the default.
    private record Setting(
            String key, String about, Supplier<@Nullable Object> shown, Consumer<@Nullable String> set) {}

    SettingDots(Program program, Desk desk) {
        this.program = program;
        this.desk = desk;
        this.settings = List.of(
                new Setting("temperature", "0 to 2", () -> desk.settings().temperature(), text -> {
                    var value = number(text, 0, 2);
                    desk.configure(now -> now.withTemperature(value));
                }),
                new Setting("top_p", "0 to 1", () -> desk.settings().topP(), text -> {
                    var value = number(text, 0, 1);
                    desk.configure(now -> now.withTopP(value));
                }),
                new Setting(
                        "reasoning_effort",
                        "a word the model knows, such as low or high",
                        () -> desk.settings().reasoningEffort(),
                        text -> desk.configure(now -> now.withReasoningEffort(text))),
                new Setting("tools", "names with commas between them, or none", this::shownTools, this::setTools),
                new Setting(
                        "mcp_servers",
                        "names with commas between them, or none",
                        () -> shown(desk.settings().mcpServers()),
                        this::setServers),
                new Setting(
                        "compression_threshold",
                        "tokens after which the older part is summarised",
                        () -> desk.settings().compressionThreshold(),
                        text -> {
                            var value = text == null ? null : whole(text, 100, 100_000_000);
                            desk.configure(now -> now.withCompressionThreshold(value));
                        }),
                new Setting(
                        "window",
                        "messages the model gets to see at most",
                        desk::window,
                        text -> desk.window(
                                text == null ? program.ai().app().settings().window() : whole(text, 1, 100_000))),
                new Setting(
                        "stream",
                        "on shows words while they are spoken, off the whole answer",
                        () -> desk.streams() ? "on" : "off",
                        text -> desk.stream(text == null || isOn(text))),
                new Setting(
                        "save_session",
                        "true, false or ask: what becomes of a session without a name",
                        desk::saving,
                        text -> desk.save(text == null ? program.ai().saving() : policy(text))));
    }

    void info() {
        fact("model", desk.model().toString());
        desk.role().ifPresent(role -> fact("role", role));
        fact("session", desk.name().orElse("none yet; what you say next begins one"));
        desk.open().map(session -> session.id().toString()).ifPresent(id -> fact("id", id));
        if (desk.overrides().system() != null) {
            fact("prompt", desk.overrides().system());
        }
        desk.agent().ifPresent(agent -> fact("agent", agent.name()));
        fact("providers", String.join(", ", program.ai().models().configured()));
        var workspace = program.workspace();
        if (!workspace.files().isEmpty()) {
            fact(
                    "instructions",
                    "%s (%,d characters)"
                            .formatted(
                                    String.join(", ", workspace.files()),
                                    workspace.text().length()));
        }
        workspace.problems().forEach(problem -> fact("warning", problem));
        fact("home", program.home().toString());
        for (var setting : settings) {
            fact(
                    setting.key(),
                    Objects.requireNonNullElse(setting.shown().get(), DEFAULT).toString());
        }
    }

    void model(String name) {
        if (name.isEmpty()) {
            say("the model is " + desk.model() + "; .models lists others");
            return;
        }
        var model = ModelName.parse(name);
        // Fails if it cannot be had, before anything changes.
        var _ = program.ai().app().models().open(model);
        desk.choose(model);
        say("from now on " + model + " answers");
    }

    void models() {
        for (var name : models(program)) {
            var mark = name.equals(desk.model().toString()) ? " (this one)" : "";
            terminal().line(terminal().stored(name) + mark);
        }
    }

    /// The names of the models that can be asked.
    static List<String> models(Program program) {
        var registry = program.ai().models();
        var names = new java.util.ArrayList<>(
                registry.models().stream().map(model -> model.name().toString()).toList());
        names.add("offline:skein");
        return names.stream().distinct().toList();
    }

    void tools() {
        var offered = desk.resolved().tools();
        if (offered.isEmpty()) {
            say("the model is offered no tools; .set tools default offers all");
        }
        for (var tool : offered) {
            var about = tool.spec().description().lines().findFirst().orElse("");
            terminal()
                    .line(terminal()
                                    .paint(
                                            Style.CYAN,
                                            "%-14s"
                                                    .formatted(terminal()
                                                            .stored(tool.spec().name())))
                            + terminal().stored(about, Math.max(20, terminal().width() - 15)));
        }
    }

    void prompt(String text) {
        desk.say(text.isEmpty() ? null : text);
        say(
                text.isEmpty()
                        ? "the model is told no task of this sitting any more"
                        : "the model is told this, as long as this sitting lasts");
    }

    void set(String rest) {
        if (rest.isEmpty()) {
            for (var setting : settings) {
                var value = Objects.requireNonNullElse(setting.shown().get(), DEFAULT);
                terminal()
                        .line(terminal().paint(Style.CYAN, "%-22s".formatted(setting.key()))
                                + "%-10s ".formatted(terminal().stored(value.toString()))
                                + terminal().paint(Style.DIM, setting.about()));
            }
            return;
        }
        var words = rest.split("\\s+", 2);
        var setting = settings.stream()
                .filter(candidate -> candidate.key().equals(words[0]))
                .findFirst()
                .orElseThrow(() -> CommandFailure.usage("there is no setting '" + words[0] + "'; "
                        + Nearest.to(words[0], KEYS)
                                .map(near -> "did you mean '" + near + "'?")
                                .orElse(".set lists them")));
        if (words.length == 1) {
            throw CommandFailure.usage("'.set " + words[0] + "' needs a value: " + setting.about() + ", or default");
        }
        setting.set().accept(words[1].equals(DEFAULT) ? null : words[1]);
        say(setting.key() + " is " + Objects.requireNonNullElse(setting.shown().get(), DEFAULT) + " now");
    }

    private @Nullable Object shownTools() {
        return shown(desk.settings().tools());
    }

    private static @Nullable Object shown(@Nullable List<String> names) {
        return names == null ? null : names.isEmpty() ? "none" : String.join(",", names);
    }

    private void setTools(@Nullable String text) {
        var names = names(text);
        // Fails if there is no such tool, before anything changes.
        var _ = program.ai().app().resolve(desk.home(), desk.settings().withTools(names), Overrides.NONE);
        desk.configure(now -> now.withTools(names));
    }

    private static @Nullable List<String> names(@Nullable String text) {
        return text == null ? null : text.equals("none") ? List.of() : List.of(text.split("[,\\s]+"));
    }

    private void setServers(@Nullable String text) {
        var names = names(text);
        var known = program.ai().mcp().config().servers().keySet();
        for (var name : names == null ? List.<String>of() : names) {
            if (!known.contains(name)) {
                throw CommandFailure.usage("there is no MCP server '" + name + "'; .mcp lists them");
            }
        }
        desk.configure(now -> now.withMcpServers(names));
    }

    private static @Nullable Double number(@Nullable String text, double least, double most) {
        if (text == null) {
            return null;
        }
        try {
            var value = Double.parseDouble(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException _) {
            // Said below.
        }
        throw CommandFailure.usage(
                String.format(Locale.ROOT, "'%s' is not a number from %.0f to %.0f", text, least, most));
    }

    private static int whole(String text, int least, int most) {
        if (text.matches("[0-9]{1,9}")) {
            var value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        }
        throw CommandFailure.usage("'%s' is not a whole number from %d to %d".formatted(text, least, most));
    }

    private static SavePolicy policy(String text) {
        try {
            return SavePolicy.parse(text);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isOn(String text) {
        return switch (text) {
            case "on", "true", "yes" -> true;
            case "off", "false", "no" -> false;
            default -> throw CommandFailure.usage("'" + text + "' is neither on nor off");
        };
    }

    private void fact(String word, String value) {
        terminal()
                .line(terminal().paint(Style.DIM, "%-22s".formatted(word))
                        + terminal().stored(value));
    }

    private void say(String text) {
        terminal().line(terminal().stored(text));
    }

    private Terminal terminal() {
        return program.terminal();
    }
}
