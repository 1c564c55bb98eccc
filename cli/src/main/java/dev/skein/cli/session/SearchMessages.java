package dev.skein.cli.session;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.store.ListQuery;
import dev.skein.store.SearchHit;
import dev.skein.store.SearchQuery;
import java.util.ArrayList;
import java.util.List;
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
        var printed = new HitList(program);
        program.store().search(query, hit -> {
            hits.add(hit);
            if (!json.wanted()) {
                printed.print(hit);
            }
        });
        if (json.wanted()) {
            program.answer(new Hits(hits));
        } else if (hits.isEmpty()) {
            program.terminal().line("no message contains '" + program.terminal().stored(text) + "'");
        }
    }
}
