package dev.skein.cli.session;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.SearchHit;
import dev.skein.store.SearchQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `skein session search`
@Command(name = "search", description = "Find messages in all sessions, or in those of one agent.")
final class SearchMessages implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "TEXT", description = "What to find. Upper and lower case are the same.")
    private String text = "";

    @Option(names = "--limit", paramLabel = "N", description = "At most N (default: 50).")
    private int limit = 50;

    @Mixin
    private final JsonOption json = new JsonOption();

    private @Nullable SessionId shownLast;

    SearchMessages(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Hits(List<SearchHit> hits) {}

    @Override
    public void run() {
        var query = SearchQuery.of(program.owner(), text).withLimit(limit);
        var agent = program.options().agent();
        if (agent.isPresent()) {
            query = query.withAgents(new ListQuery.Agents.Named(agent.get()));
        }
        var hits = new ArrayList<SearchHit>();
        program.store().search(query, hit -> {
            hits.add(hit);
            if (!json.wanted()) {
                print(hit);
            }
        });
        if (json.wanted()) {
            program.answer(new Hits(hits));
        } else if (hits.isEmpty()) {
            program.terminal().line("no message contains '" + program.terminal().stored(text) + "'");
        }
    }

    private void print(SearchHit hit) {
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
