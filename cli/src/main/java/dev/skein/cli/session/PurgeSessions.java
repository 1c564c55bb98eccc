package dev.skein.cli.session;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.program.YesOption;
import dev.skein.cli.terminal.Terminal;
import dev.skein.store.ListQuery;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SessionSummary;
import dev.skein.store.query.PurgeSelection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `skein session purge`
@Command(name = "purge", description = "Move old sessions to the trash, from where 'restore' brings them back.")
final class PurgeSessions implements Runnable {

    private static final int PAGE = 1_000;

    private final Program program;

    @Option(names = "--keep", paramLabel = "N", description = "Keep the N used last.")
    private @Nullable Integer keep;

    @Option(
            names = "--idle",
            paramLabel = "TIME",
            converter = IdleTime.class,
            description = "Keep those used within this time: 30d, 12h, 90m.")
    private @Nullable Duration idle;

    @Option(names = "--dry-run", description = "Only say which ones.")
    private boolean dryRun;

    @Mixin
    private final YesOption yes = new YesOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    PurgeSessions(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Purged(boolean dryRun, List<SessionSummary> sessions) {}

    @Override
    public void run() {
        if ((keep == null) == (idle == null)) {
            throw CommandFailure.usage("say either --keep N or --idle TIME, for example --idle 30d");
        }
        var query = new PurgeQuery(program.scope(), keep, idle, PurgeQuery.Which.EVERY);
        var old = candidates(query);
        if (!dryRun && !old.isEmpty()) {
            program.confirm(yes.given(), "move " + SessionSheet.count(old.size(), "session") + " to the trash");
        }
        var sessions = dryRun || old.isEmpty() ? old : program.store().purge(query);
        if (json.wanted()) {
            program.answer(new Purged(dryRun, sessions));
        } else {
            print(sessions);
        }
    }

    private void print(List<SessionSummary> sessions) {
        var terminal = program.terminal();
        if (sessions.isEmpty()) {
            terminal.line("nothing to purge");
            return;
        }
        sessions.forEach(session -> terminal.line((dryRun ? "would move " : "moved ") + line(terminal, session)));
        if (dryRun) {
            terminal.line("nothing was moved; without --dry-run it would be");
        } else {
            terminal.line("to undo: skein session restore UUID"
                    + program.options()
                            .agent()
                            .map(agent -> " --agent " + terminal.stored(agent))
                            .orElse(""));
        }
    }

    private String line(Terminal terminal, SessionSummary session) {
        var name = session.alias() == null ? "" : "  " + terminal.stored(session.alias());
        return session.id() + name + "  (last used " + program.ago(session.lastActivityAt()) + ")";
    }

    /// What the store would move, as far as a listing tells.
    private List<SessionSummary> candidates(PurgeQuery query) {
        var all = new ArrayList<SessionSummary>();
        var list = ListQuery.of(program.scope()).withLimit(PAGE);
        var page = program.store().list(list);
        all.addAll(page.sessions());
        while (page.nextCursor() != null) {
            page = program.store().list(list.after(page.nextCursor()));
            all.addAll(page.sessions());
        }
        return PurgeSelection.select(all, query, program.now(), _ -> true);
    }
}
