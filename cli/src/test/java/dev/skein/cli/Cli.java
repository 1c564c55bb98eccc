package dev.skein.cli;

import dev.skein.cli.terminal.Streams;
import dev.skein.cli.terminal.Streams.Attached;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Role;
import dev.skein.session.Exchange;
import dev.skein.session.Ids;
import dev.skein.session.LoopId;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import dev.skein.store.file.FileSessionStore;
import dev.skein.wire.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// The program, run in this process on a real store in a directory of its own, and what it said.
final class Cli {

    static final Ids IDS = new Ids(Clock.systemUTC(), new Random(7));

    final Path home;
    final Map<String, String> env = new HashMap<>(Map.of("LANG", "en_US.UTF-8", "HOME", "/nowhere"));
    Attached attached = Attached.PIPE;
    String typed = "";
    /// What happens elsewhere before the first answer is typed.
    Runnable meanwhile = () -> {};
    Clock clock = Clock.systemUTC();

    Cli(Path home) {
        this.home = home;
        env.put("SKEIN_HOME", home.toString());
    }

    /// How a run ended.
    record Ran(int code, String out, String err) {
        JsonNode json() {
            return Json.MAPPER.readTree(out);
        }

        JsonNode errorJson() {
            return Json.MAPPER.readTree(err);
        }
    }

    Ran run(String... args) {
        var out = new ByteArrayOutputStream();
        return run(out, args).apply(out);
    }

    Function<ByteArrayOutputStream, Ran> run(OutputStream out, String... args) {
        var err = new ByteArrayOutputStream();
        var in = keyboard();
        var code = Main.run(args, new Streams(in, out, err, attached), env, clock);
        return written -> new Ran(code, written.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private InputStream keyboard() {
        return new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] bytes, int from, int length) {
                var first = meanwhile;
                meanwhile = () -> {};
                first.run();
                return super.read(bytes, from, length);
            }
        };
    }

    /// Everything it said, on either stream, as a person sees it.
    String merged(String... args) {
        var all = new ByteArrayOutputStream();
        var in = new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8));
        Main.run(args, new Streams(in, all, all, attached), env, clock);
        return all.toString(StandardCharsets.UTF_8);
    }

    Ran session(String... args) {
        var all = new ArrayList<>(List.of("session"));
        all.addAll(Arrays.asList(args));
        return run(all.toArray(String[]::new));
    }

    Cli onTerminal() {
        attached = Attached.TERMINAL;
        return this;
    }

    Cli typing(String answer) {
        typed = answer + "\n";
        return onTerminal();
    }

    Cli later(Duration by) {
        clock = Clock.offset(Clock.systemUTC(), by);
        return this;
    }

    void withStore(Consumer<SessionStore> use) {
        try (var store = FileSessionStore.open(home)) {
            use.accept(store);
        }
    }

    /// A session in which this was said, prompt and answer in turn.
    SessionId having(String alias, String... said) {
        return having(Scope.LOCAL, alias, said);
    }

    SessionId having(Scope scope, String alias, String... said) {
        try (var store = FileSessionStore.open(home);
                var session = store.create(NewSession.in(scope).named(alias))) {
            for (int i = 0; i < said.length; i += 2) {
                say(session, said[i], said[i + 1]);
            }
            return session.id();
        }
    }

    static void say(SessionHandle session, String prompt, String answer) {
        var head = session.state().head();
        session.append(Exchange.of(IDS, Clock.systemUTC().instant(), head, prompt, answer));
    }

    static Message message(Role role, String text) {
        return Message.of(
                new MessageId("m-" + text.hashCode()), role, Clock.systemUTC().instant(), text);
    }

    static LoopId loop(String name) {
        return new LoopId(name);
    }
}
