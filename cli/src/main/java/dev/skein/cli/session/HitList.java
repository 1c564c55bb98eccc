package dev.skein.cli.session;

import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.session.SessionId;
import dev.skein.store.SearchHit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Shows found messages, under the name of their session.
///
/// Not safe for use by several threads.
public final class HitList {

    private final Program program;
    private @Nullable SessionId shownLast;

    public HitList(Program program) {
        this.program = program;
    }

    public void print(SearchHit hit) {
        var terminal = program.terminal();
        if (!hit.session().equals(shownLast)) {
            var name = Objects.requireNonNullElse(hit.alias(), hit.session().toString());
            var agent = hit.agent() == null ? "" : "  agent " + terminal.stored(hit.agent());
            terminal.line(terminal.paint(Style.BOLD, terminal.stored(name)) + agent);
            shownLast = hit.session();
        }
        var where = "%s, %s, at %d".formatted(hit.role(), program.ago(hit.at()), hit.seq());
        terminal.line("  " + terminal.paint(Style.DIM, where));
        terminal.line("    " + highlighted(hit));
        terminal.flush();
    }

    /// The three pieces are made safe one by one, so that no escape sequence spans the match.
    private String highlighted(SearchHit hit) {
        var terminal = program.terminal();
        var snippet = hit.snippet();
        var start = Math.clamp(hit.start(), 0, snippet.length());
        var end = Math.clamp(hit.end(), start, snippet.length());
        var before = terminal.stored(snippet.substring(0, start) + "|");
        var match = terminal.stored(snippet.substring(start, end));
        var after = terminal.stored("|" + snippet.substring(end));
        return before.substring(0, before.length() - 1) + terminal.paint(Style.MATCH, match) + after.substring(1);
    }
}
