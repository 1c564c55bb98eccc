package dev.skein.cli.session;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.session.SessionAlias;
import dev.skein.store.NewSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `skein session fork`
@Command(name = "fork", description = "Make a session that shares another's history and goes its own way from there.")
final class ForkSession implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "A name, a UUID, or its first 6 or more digits.")
    private String name = "";

    @Option(names = "--at", paramLabel = "SEQ", description = "Share the events up to this one (default: all).")
    private @Nullable Long at;

    @Option(names = "--name", paramLabel = "NEW", description = "A name for the new session.")
    private @Nullable String newName;

    @Mixin
    private final JsonOption json = new JsonOption();

    ForkSession(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var alias = newName == null ? null : new SessionAlias(newName);
        try (var parent = new Names(program).open(name)) {
            var seq = at != null ? at : parent.state().version();
            var template = NewSession.in(parent.scope()).named(alias);
            try (var child = program.store().fork(parent.scope(), parent.id(), seq, template)) {
                Changed.answer(
                        program,
                        json,
                        child,
                        summary -> "forked '" + name + "' at " + seq + " into "
                                + (alias == null ? child.id().toString() : "'" + alias + "' (" + child.id() + ")"));
            }
        }
    }
}
