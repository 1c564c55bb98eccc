package dev.skein.engine;

import dev.skein.failure.AliasInUse;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.store.SessionStore;
import java.util.List;
import java.util.Optional;

/// Gives a session that nobody named a name.
record Autoname(SessionStore store, Workings workings) {

    private static final int MESSAGES = 4;
    private static final int TRIES = 50;

    /// Does nothing if it has a name by now, or nothing comes to mind.
    void name(RequestContext context, Emitter emitter) {
        var session = context.session();
        var words = context.settings().namer().name(session.context(MESSAGES).messages(), context.cancellation());
        if (words.isBlank()) {
            return;
        }
        try (var guard = session.lock(workings.lockWait())) {
            if (guard.state().alias() != null) {
                return;
            }
            SessionAlias.sanitize(words)
                    .flatMap(wanted -> claim(context, wanted))
                    .ifPresent(alias -> {
                        guard.append(List.of(
                                new SessionEvent.SessionRenamed(workings.clock().instant(), alias, true)));
                        new RunLog(guard, context, emitter).live(new LiveEvent.SessionAutonamed(alias.text()));
                    });
        }
    }

    /// The name, or one with a number behind it if it is taken. None if somebody named the session meanwhile.
    private Optional<SessionAlias> claim(RequestContext context, SessionAlias wanted) {
        var session = context.session();
        for (int i = 1; i <= TRIES; i++) {
            var alias = i == 1 ? wanted : numbered(wanted, i);
            try {
                return store.nameFirst(session.scope(), session.id(), alias) ? Optional.of(alias) : Optional.empty();
            } catch (AliasInUse _) {
                // The next number.
            }
        }
        return Optional.empty();
    }

    private static SessionAlias numbered(SessionAlias alias, int number) {
        var text = alias.text();
        var room = SessionAlias.LENGTH_MAX - 3;
        var end = text.codePointCount(0, text.length()) > room ? text.offsetByCodePoints(0, room) : text.length();
        return new SessionAlias(text.substring(0, end) + "-" + number);
    }
}
