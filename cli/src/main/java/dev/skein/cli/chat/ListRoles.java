package dev.skein.cli.chat;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.settings.RoleFiles;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Table;
import dev.skein.cli.terminal.Table.Column;
import dev.skein.engine.role.RoleSpec;
import dev.skein.failure.SkeinException;
import dev.skein.message.Excerpt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `skein roles`
@Command(name = "roles", description = "List the roles: files roles/NAME.md in home, each a task for the model.")
public final class ListRoles implements Runnable {

    private static final int PROMPT_MAX = 60;

    private final Program program;

    @Mixin
    private final JsonOption json = new JsonOption();

    public ListRoles(Program program) {
        this.program = program;
    }

    /// What `--json` answers.
    private record Listing(List<RoleSpec> roles, List<String> problems) {}

    @Override
    public void run() {
        var roles = new RoleFiles(program.home().resolve("roles"));
        var found = new ArrayList<RoleSpec>();
        var problems = new ArrayList<String>();
        for (var name : roles.names()) {
            try {
                roles.find(name).ifPresent(found::add);
            } catch (SkeinException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        if (json.wanted()) {
            program.answer(new Listing(found, problems));
            return;
        }
        show(found, roles);
        var terminal = program.terminal();
        problems.forEach(
                problem -> terminal.note(terminal.paint(Style.YELLOW, "warning:") + " " + terminal.stored(problem)));
    }

    private void show(List<RoleSpec> found, RoleFiles roles) {
        var terminal = program.terminal();
        if (found.isEmpty()) {
            terminal.line("no roles yet; write one as " + terminal.stored(roles.directory() + "/NAME.md"));
            return;
        }
        var table = new Table(List.of(Column.of("ROLE"), Column.of("MODEL"), Column.of("")));
        for (var role : found) {
            table.add(List.of(role.name(), shown(role.model()), about(role)));
        }
        table.print(terminal);
    }

    private static String about(RoleSpec role) {
        return role.description() == null ? Excerpt.line(role.prompt(), PROMPT_MAX) : role.description();
    }

    private static String shown(@Nullable Object value) {
        return value == null ? "-" : value.toString();
    }
}
