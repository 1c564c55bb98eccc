package dev.skein.cli.session;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.program.YesOption;
import dev.skein.session.SessionId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein session delete`. All names are looked up before anything is deleted, so that a slip deletes nothing.
@Command(name = "delete", description = "Delete sessions for good. What forks share with them stays.")
final class DeleteSessions implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "Names, UUIDs, or their first 6 or more digits.")
    private List<String> names = List.of();

    @Mixin
    private final YesOption yes = new YesOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    DeleteSessions(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Deleted(List<SessionId> deleted) {}

    @Override
    public void run() {
        var found = new LinkedHashMap<Names.Found, String>();
        var lookup = new Names(program);
        names.forEach(name -> found.putIfAbsent(lookup.find(name), name));
        var terminal = program.terminal();
        var all = found.values().stream()
                .map(name -> "'" + terminal.stored(name) + "'")
                .collect(Collectors.joining(", "));
        program.confirm(yes.given(), "delete " + all + " for good");
        found.forEach((session, name) -> {
            program.store().delete(session.scope(), session.id());
            if (!json.wanted()) {
                terminal.line("deleted '" + terminal.stored(name) + "' (" + session.id() + ")");
            }
        });
        if (json.wanted()) {
            program.answer(
                    new Deleted(found.keySet().stream().map(Names.Found::id).toList()));
        }
    }
}
