package dev.skein.cli.session;

import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Terminal;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.SessionState;
import dev.skein.store.SessionSummary;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A session as a person reads it: its facts, then what was said.
public final class SessionSheet {

    /// Lines of one message at most; a tool may have answered with a whole file.
    private static final int LINES_MAX = 40;

    private final Program program;
    private final Terminal terminal;
    private final SessionState state;

    public SessionSheet(Program program, SessionState state) {
        this.program = program;
        this.terminal = program.terminal();
        this.state = state;
    }

    public void print(List<Message> said) {
        var summary = SessionSummary.of(state);
        fact("name", summary.alias());
        fact("id", state.id().toString());
        fact("agent", summary.agent());
        fact("about", summary.description());
        fact("status", summary.status().toString());
        fact("model", model(summary));
        fact("role", summary.role());
        fact("rag", summary.rag());
        fact("created", program.ago(summary.createdAt()));
        fact("last used", program.ago(summary.lastActivityAt()));
        fact(
                "size",
                count(summary.loopCount(), "loop") + ", " + count(state.totals().turns(), "turn") + ", "
                        + count(summary.messageCount(), "message"));
        fact("tokens", tokens(summary, said));
        fact("cost", summary.cost().usd().signum() == 0 ? null : summary.cost().toString());
        var origin = summary.origin();
        fact("origin", origin == null ? null : origin.tool());
        fact("source", origin == null ? null : origin.source());
        var fork = summary.fork();
        fact("forked from", fork == null ? null : fork.session() + " at " + fork.seq());
        var spawn = state.opened().spawn();
        fact("spawned by", spawn == null ? null : spawn.session() + " with " + spawn.tool());
        said.forEach(this::print);
    }

    private void fact(String word, @Nullable String value) {
        if (value != null) {
            terminal.line(terminal.paint(Style.DIM, "%-12s".formatted(word)) + terminal.stored(value));
        }
    }

    private static @Nullable String model(SessionSummary summary) {
        return summary.provider() == null ? summary.model() : summary.provider() + ":" + summary.model();
    }

    private String tokens(SessionSummary summary, List<Message> said) {
        var usage = summary.usage();
        var text = "%,d in, %,d out".formatted(usage.inputTokens(), usage.outputTokens());
        var window = state.lastConfig() == null ? null : state.lastConfig().contextWindow();
        var filled = said.reversed().stream()
                .filter(message -> message.reply() != null && message.reply().usage() != null)
                .findFirst()
                .map(message -> message.reply() == null || message.reply().usage() == null
                        ? 0L
                        : message.reply().usage().totalTokens());
        return window == null || window <= 0 || filled.isEmpty()
                ? text
                : text + ", %.0f %% of the window of %,d filled".formatted(100.0 * filled.get() / window, window);
    }

    private void print(Message message) {
        terminal.line("");
        terminal.line(terminal.paint(color(message.role()), message.role().toString()) + " "
                + terminal.paint(Style.DIM, program.ago(message.at())));
        message.parts().forEach(part -> indented(words(part)));
    }

    private static Style color(Role role) {
        return switch (role) {
            case USER -> Style.CYAN;
            case ASSISTANT -> Style.GREEN;
            case TOOL -> Style.YELLOW;
            case SYSTEM -> Style.DIM;
        };
    }

    private static String words(Part part) {
        return switch (part) {
            case Part.Text(var text) -> text;
            case Part.Thinking thinking -> ("(thinking) " + thinking.text()).strip();
            case Part.Image image -> "(image " + (image.source() != null ? image.source() : image.mimeType()) + ")";
            case Part.ToolCall call -> "calls " + call.name() + " " + call.arguments();
            case Part.ToolResult result ->
                (result.isError() ? result.name() + " failed: " : result.name() + ": ")
                        + String.join(
                                "\n",
                                result.content().stream()
                                        .map(SessionSheet::words)
                                        .toList());
            case Part.Unknown unknown -> "(" + unknown.type() + ")";
        };
    }

    private void indented(String text) {
        var lines = terminal.storedBlock(text).lines().toList();
        lines.stream().limit(LINES_MAX).forEach(line -> terminal.line(line.isBlank() ? "" : "  " + line));
        if (lines.size() > LINES_MAX) {
            terminal.line(terminal.paint(Style.DIM, "  (" + (lines.size() - LINES_MAX) + " more lines)"));
        }
    }

    static String count(long number, String word) {
        return String.format(Locale.ROOT, "%,d ", number) + (number == 1 ? word : word + "s");
    }
}
