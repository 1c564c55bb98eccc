package dev.skein.cli.repl;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.program.Program.Confirmation;
import dev.skein.cli.session.HitList;
import dev.skein.cli.session.LoopTree;
import dev.skein.cli.session.Names;
import dev.skein.cli.session.SessionSheet;
import dev.skein.cli.terminal.Terminal;
import dev.skein.live.Emitter;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SearchHit;
import dev.skein.store.SearchQuery;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The commands about sessions.
final class SessionDots {

    private static final int LISTED = 20;
    private static final int MESSAGES = 4;

    private final Program program;
    private final Desk desk;
    private final Resumption resumption;

    SessionDots(Program program, Desk desk, Resumption resumption) {
        this.program = program;
        this.desk = desk;
        this.resumption = resumption;
    }

    void session(String name) {
        if (name.isEmpty()) {
            desk.leave();
            say("what you say next begins a new session");
        } else if (SessionId.parse(name).isPresent()) {
            requireKept();
            take(new Names(program).open(name));
        } else {
            show(desk.openOrCreate(new SessionAlias(name)));
        }
    }

    void resume(String name) {
        requireKept();
        take(name.isEmpty() ? chosen() : new Names(program).open(name));
    }

    private void take(SessionHandle session) {
        desk.use(session);
        show(session);
    }

    private void show(SessionHandle session) {
        if (session.state().head() == null) {
            say("session '" + desk.name().orElse("") + "' is open and empty");
        } else {
            resumption.show(session);
        }
    }

    /// Lists the last sessions and asks for the number of one.
    private SessionHandle chosen() {
        var sessions = program.store().list(ListQuery.of(program.scope()).withLimit(LISTED)).sessions().stream()
                .filter(summary -> summary.id() != null)
                .toList();
        if (sessions.isEmpty()) {
            throw CommandFailure.usage("there are no sessions yet; say something, and one is made");
        }
        for (int i = 0; i < sessions.size(); i++) {
            terminal().line("%3d  %s".formatted(i + 1, line(sessions.get(i))));
        }
        var answer = terminal().asks("which one? (a number)");
        if (!answer.matches("[0-9]{1,3}")
                || Integer.parseInt(answer) < 1
                || Integer.parseInt(answer) > sessions.size()) {
            throw CommandFailure.usage("'" + answer + "' is not on the list; nothing was opened");
        }
        var summary = sessions.get(Integer.parseInt(answer) - 1);
        return new Names(program).open(String.valueOf(summary.id()));
    }

    private String line(SessionSummary session) {
        var name = Objects.requireNonNullElse(session.alias(), String.valueOf(session.id()));
        var about = Objects.requireNonNullElse(
                session.description(), Objects.requireNonNullElse(session.firstMessage(), ""));
        return terminal()
                .stored(
                        name + " (" + program.ago(session.lastActivityAt()) + ", " + session.messageCount()
                                + " messages) " + about,
                        terminal().width() - 5);
    }

    void info(String name) {
        if (!name.isEmpty()) {
            try (var session = new Names(program).open(name)) {
                sheet(session);
            }
            return;
        }
        sheet(desk.open()
                .orElseThrow(() -> CommandFailure.usage(
                        "'.info session' needs an open session or a name, and found neither; .resume lists sessions")));
    }

    private void sheet(SessionHandle session) {
        new SessionSheet(program, session.state())
                .print(session.context(MESSAGES).messages());
    }

    void rename(String name, Dot dot) {
        if (name.isEmpty()) {
            throw CommandFailure.usage("'" + dot.typed() + "' needs a name; give one behind it");
        }
        var session = desk.session();
        var alias = new SessionAlias(name);
        desk.store().rename(session.scope(), session.id(), alias);
        desk.keep();
        say("this session is called '" + alias + "' now");
    }

    void empty() {
        program.ai().engine().empty(desk.session());
        say("the conversation begins afresh; .tree still shows the old one");
    }

    void compress() {
        var context = desk.context(new Cancellation());
        var app = program.ai().app();
        var compaction = app.compaction(desk.settings(), context.settings().model());
        say(program.ai()
                .engine()
                .compress(context, compaction, Emitter.NONE)
                .map(block -> "the model sees the older part as a summary from now on")
                .orElse("there is too little to summarise; nothing was changed"));
    }

    void exit() {
        var name = desk.name().orElse("");
        var id = desk.session().id();
        desk.leave();
        say(
                desk.store().locate(program.owner(), id).isPresent()
                        ? "closed '" + name + "'; everything in it is kept"
                        : "closed '" + name + "' and forgot it");
    }

    void fork(String name) {
        var parent = desk.session();
        var template = NewSession.in(parent.scope()).named(name.isEmpty() ? null : new SessionAlias(name));
        var from = desk.name().orElse("");
        var child =
                desk.store().fork(parent.scope(), parent.id(), parent.state().version(), template);
        desk.keep();
        desk.use(child);
        say("this is '" + desk.name().orElse("") + "' now, forked from '" + from + "'");
    }

    void delete(String name) {
        var open = desk.open().map(SessionHandle::id);
        var found = name.isEmpty()
                ? desk.open()
                        .map(session -> new Names.Found(session.scope(), session.id()))
                        .orElseThrow(() -> CommandFailure.usage(
                                "'.delete' needs an open session or a name, and found neither; .resume lists sessions"))
                : new Names(program).find(name);
        var called = name.isEmpty() ? desk.name().orElse("") : name;
        program.confirm(Confirmation.NEEDED, "delete '" + terminal().stored(called) + "' for good");
        if (open.isPresent() && open.get().equals(found.id())) {
            desk.keep();
            desk.leave();
        }
        desk.store().delete(found.scope(), found.id());
        say("deleted '" + called + "'");
    }

    void tree() {
        new LoopTree(program, desk.session().load()).print();
    }

    void search(String text) {
        var hits = new ArrayList<SearchHit>();
        var list = new HitList(program);
        desk.store().search(SearchQuery.of(program.owner(), text).withLimit(LISTED), hit -> {
            hits.add(hit);
            list.print(hit);
        });
        if (hits.isEmpty()) {
            say("no message contains '" + text + "'");
        }
    }

    /// The names of the last sessions, for completion.
    static List<String> names(Program program) {
        return program.store().list(ListQuery.of(program.scope()).withLimit(100)).sessions().stream()
                .map(SessionSummary::alias)
                .filter(Objects::nonNull)
                .toList();
    }

    private void requireKept() {
        if (!desk.isKept()) {
            throw CommandFailure.usage("this sitting keeps nothing, so it opens nothing that is kept;"
                    + " start skein without --no-session");
        }
    }

    private void say(String text) {
        terminal().line(terminal().stored(text));
    }

    private Terminal terminal() {
        return program.terminal();
    }
}
