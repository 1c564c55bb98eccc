package dev.skein.cli.session;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Command;

/// `skein session`: the commands on sessions.
@Command(name = "session", description = "List, show, search, change and export sessions.")
public final class SessionCommands implements Runnable {

    private SessionCommands() {}

    /// Every command on sessions of this package, by its name.
    public static Map<String, Supplier<Object>> all(Program program) {
        var all = new LinkedHashMap<String, Supplier<Object>>();
        all.put("list", () -> new ListSessions(program));
        all.put("show", () -> new ShowSession(program));
        all.put("tree", () -> new ShowTree(program));
        all.put("search", () -> new SearchMessages(program));
        all.put("rename", () -> new RenameSession(program));
        all.put("describe", () -> new DescribeSession(program));
        all.put("fork", () -> new ForkSession(program));
        all.put("export", () -> new ExportSession(program));
        all.put("delete", () -> new DeleteSessions(program));
        all.put("purge", () -> new PurgeSessions(program));
        all.put("restore", () -> new RestoreSession(program));
        all.put("migrate", () -> new MigrateSessions(program));
        return all;
    }

    /// The list of sessions as it is without any option.
    public static Runnable list(Program program) {
        return new ListSessions(program);
    }

    public static SessionCommands parent() {
        return new SessionCommands();
    }

    @Override
    public void run() {
        throw CommandFailure.usage("say what to do with sessions; 'skein session --help' lists the commands");
    }
}
