package dev.skein.cli.session;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Table;
import dev.skein.cli.terminal.Table.Column;
import dev.skein.store.ListQuery;
import dev.skein.store.SessionPage;
import dev.skein.store.SessionSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `skein session list`
@Command(name = "list", description = "List sessions, the last used first.")
final class ListSessions implements Runnable {

    /// Enough of an id to tell sessions of different milliseconds apart.
    private static final int ID_LENGTH = 13;

    private final Program program;

    @Option(names = "--all-agents", description = "The sessions of every agent, and those of none.")
    private boolean allAgents;

    @Option(names = "--alias", paramLabel = "X", description = "Only those with X in their name.")
    private @Nullable String alias;

    @Option(
            names = "--text",
            paramLabel = "X",
            description = "Only those with X in name, description or first message.")
    private @Nullable String text;

    @Option(names = "--limit", paramLabel = "N", description = "At most N (default: 50).")
    private int limit = 50;

    @Option(names = "--cursor", paramLabel = "C", description = "Go on after the page that ended with this cursor.")
    private @Nullable String cursor;

    @Mixin
    private final JsonOption json = new JsonOption();

    ListSessions(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Listing(
            List<SessionSummary> sessions, @Nullable String nextCursor) {}

    @Override
    public void run() {
        if (allAgents && program.options().agent().isPresent()) {
            throw CommandFailure.usage("--agent and --all-agents exclude each other; leave one out");
        }
        var of = allAgents ? ListQuery.ofOwner(program.owner()) : ListQuery.of(program.scope());
        var query = of.withAlias(alias).withText(text).withLimit(limit).after(cursor);
        var page = program.store().list(query);
        if (json.wanted()) {
            program.answer(new Listing(page.sessions(), page.nextCursor()));
        } else if (page.sessions().isEmpty()) {
            program.terminal().line(nothingToList());
        } else {
            print(page);
        }
        page.problems()
                .forEach(problem ->
                        program.terminal().note("warning: " + program.terminal().stored(problem)));
    }

    private String nothingToList() {
        if (alias != null || text != null || cursor != null) {
            return "no session matches";
        }
        if (!allAgents
                && !program.store()
                        .list(ListQuery.ofOwner(program.owner()).withLimit(1))
                        .sessions()
                        .isEmpty()) {
            return "no sessions here; 'skein session list --all-agents' shows those of every agent";
        }
        return "no sessions yet in " + program.terminal().stored(program.home().toString())
                + "; 'skein migrate' brings in those that other tools left there, --home DIR looks elsewhere";
    }

    private void print(SessionPage page) {
        var columns = new ArrayList<>(List.of(Column.shrinkingTo(12, "NAME"), Column.of("ID")));
        if (allAgents) {
            columns.add(Column.shrinkingTo(8, "AGENT"));
        }
        columns.addAll(List.of(
                Column.of("STATUS"),
                Column.ofNumbers("MESSAGES"),
                Column.of("LAST USED"),
                Column.shrinkingTo(10, "ABOUT")));
        var table = new Table(columns);
        page.sessions().forEach(session -> table.add(row(session)));
        table.print(program.terminal());
        if (page.nextCursor() != null) {
            program.terminal().note("there are more; add --cursor " + page.nextCursor());
        }
    }

    private List<String> row(SessionSummary session) {
        var cells = new ArrayList<String>();
        cells.add(Objects.requireNonNullElse(session.alias(), "-"));
        cells.add(session.id() == null ? "(legacy)" : session.id().toString().substring(0, ID_LENGTH));
        if (allAgents) {
            cells.add(Objects.requireNonNullElse(session.agent(), "-"));
        }
        cells.add(session.status().toString());
        cells.add(String.valueOf(session.messageCount()));
        cells.add(program.ago(session.lastActivityAt()));
        cells.add(Objects.requireNonNullElse(
                session.description(), Objects.requireNonNullElse(session.firstMessage(), "")));
        return cells;
    }
}
