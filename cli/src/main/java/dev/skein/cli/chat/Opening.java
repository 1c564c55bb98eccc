package dev.skein.cli.chat;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.session.Names;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import java.util.Optional;

/// Opens the session that the command line speaks of, with `-c` or `-s`.
public record Opening(Program program, ChatOptions options) {

    /// Empty if it speaks of none. A name that is not there yet becomes a session like `fresh`.
    public Optional<SessionHandle> session(SessionStore store, NewSession fresh) {
        if (options.continuesLast()) {
            var last = store.last(program.scope())
                    .orElseThrow(() ->
                            CommandFailure.noSession("used last", "there is none yet: leave -c out, and one is made"));
            return Optional.of(store.open(program.scope(), last));
        }
        return options.session()
                .map(name -> SessionId.parse(name).isPresent()
                        ? new Names(program).open(name)
                        : store.openOrCreate(fresh.named(new SessionAlias(name))));
    }

    /// Whether a session is named that there is already.
    public boolean isThere() {
        return options.continuesLast()
                || options.session()
                        .map(name -> SessionId.parse(name).isPresent()
                                || program.store()
                                        .resolve(program.scope(), new SessionAlias(name))
                                        .isPresent())
                        .orElse(false);
    }
}
