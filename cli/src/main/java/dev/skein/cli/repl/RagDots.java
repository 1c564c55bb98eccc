package dev.skein.cli.repl;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.rag.Building;
import dev.skein.engine.retrieval.Grounding;
import dev.skein.retrieval.RagKey;
import dev.skein.tools.rag.Rags;
import java.util.List;
import java.util.Optional;

/// The commands about the documents that answers come from.
final class RagDots {

    private final Program program;
    private final Desk desk;

    RagDots(Program program, Desk desk) {
        this.program = program;
        this.desk = desk;
    }

    static List<String> names(Program program) {
        return program.ai().rags().list().rags().stream().map(Rags.Listed::name).toList();
    }

    void rag(String name) {
        if (name.isEmpty()) {
            var known = names(program);
            say(desk.rag() == null ? "answers come from no documents" : "answers come from '" + desk.rag() + "'");
            say(known.isEmpty() ? "'skein rag create NAME SOURCE' makes a rag" : "there are " + known);
            return;
        }
        // Fails if it is not there, before anything changes.
        var _ = program.ai().rags().open(new RagKey.Named(name));
        desk.ground(name);
        say("from now on answers come from '" + name + "'; .sources rag shows from where in it");
    }

    /// Those of the newest loop that has any.
    void sources() {
        var session = desk.session();
        var kept = Optional.ofNullable(session.state().head())
                .flatMap(session::loop)
                .flatMap(Grounding::kept)
                .orElseThrow(() ->
                        CommandFailure.usage("the last answer came from no documents; .rag NAME answers from some"));
        if (kept.passages().isEmpty()) {
            say("nothing fitting was found in '" + kept.name() + "'");
        }
        for (int i = 0; i < kept.passages().size(); i++) {
            say("[" + (i + 1) + "] " + kept.passages().get(i).cited());
        }
    }

    void rebuild() {
        var name = desk.rag();
        if (name == null) {
            throw CommandFailure.usage("'.rebuild rag' needs a rag in use, and there is none; .rag NAME uses one");
        }
        new Building(program, name)
                .run((progress, cancellation) ->
                        program.ai().rags().rebuild(new RagKey.Named(name), progress, cancellation));
    }

    void exit() {
        if (desk.rag() == null) {
            throw CommandFailure.usage("'.exit rag' needs a rag in use, and there is none; .rag NAME uses one");
        }
        desk.ground(null);
        say("answers come from no documents again");
    }

    private void say(String text) {
        program.terminal().line(program.terminal().stored(text));
    }
}
