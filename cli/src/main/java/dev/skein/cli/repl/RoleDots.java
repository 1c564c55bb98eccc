package dev.skein.cli.repl;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Nearest;
import dev.skein.engine.role.RoleSpec;
import java.util.Optional;

/// The commands about roles.
final class RoleDots {

    private final Program program;
    private final Desk desk;

    RoleDots(Program program, Desk desk) {
        this.program = program;
        this.desk = desk;
    }

    void role(String name) {
        if (name.isEmpty()) {
            var names = program.ai().app().roles().names();
            if (names.isEmpty()) {
                say("no roles yet; write one as " + program.home().resolve("roles/NAME.md"));
            }
            names.forEach(each -> say(each + (desk.role().equals(Optional.of(each)) ? " (this one)" : "")));
            return;
        }
        var role = find(name);
        desk.play(role.name());
        say("from now on the model answers as '" + role.name() + "'; .exit role ends that");
    }

    void info(String name) {
        var wanted = name.isEmpty()
                ? desk.role().orElseThrow(() -> CommandFailure.usage("no role is on; .role lists them"))
                : name;
        var role = find(wanted);
        say(role.name() + (role.model() == null ? "" : ", answered by " + role.model()));
        say(role.prompt());
    }

    void exit() {
        var role = desk.role().orElseThrow(() -> CommandFailure.usage("no role is on; .role lists them"));
        desk.play(null);
        say("the model does not answer as '" + role + "' any more");
    }

    private RoleSpec find(String name) {
        var roles = program.ai().app().roles();
        return roles.find(name)
                .orElseThrow(() -> CommandFailure.usage("there is no role '" + name + "'; "
                        + Nearest.to(name, roles.names())
                                .map(near -> "did you mean '" + near + "'?")
                                .orElse(".role lists them")));
    }

    private void say(String text) {
        text.lines().forEach(line -> program.terminal().line(program.terminal().stored(line)));
    }
}
