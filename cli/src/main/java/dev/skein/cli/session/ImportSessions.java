package dev.skein.cli.session;

import static java.util.Objects.requireNonNull;

import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.exchange.imports.ForeignSession;
import dev.skein.exchange.imports.Importer;
import dev.skein.exchange.imports.Importer.Outcome;
import dev.skein.exchange.imports.SessionFiles;
import dev.skein.failure.SkeinException;
import dev.skein.failure.UnreadableImport;
import dev.skein.session.Ids;
import dev.skein.session.SessionId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `skein import`
@Command(
        name = "import",
        description = {
            "Bring in sessions of other tools: Loki, Coyote, aichat, miniclaw, phi-core, agent-harness, Claude Code,"
                    + " Codex, pi, and what 'skein session export --format json' wrote. Their files are only read.",
            "Run it again to bring in what is new. Without PATH it says where sessions of other tools are."
        })
public final class ImportSessions implements Callable<Integer> {

    private final Program program;
    private final List<Line> lines = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private @Nullable Importer importer;
    private int skipped;
    private ExitCode code = ExitCode.OK;

    @Parameters(paramLabel = "PATH", arity = "0..*", description = "A session file, or a directory with some.")
    private List<Path> paths = List.of();

    @Option(names = "--again", description = "Make new sessions also of what was imported before.")
    private boolean again;

    @Option(names = "--dry-run", description = "Say what would be imported, and change nothing.")
    private boolean dryRun;

    @Mixin
    private final JsonOption json = new JsonOption();

    public ImportSessions(Program program) {
        this.program = program;
    }

    /// A file, and what became of it.
    record Line(
            String source,
            String tool,
            @Nullable String outcome,
            @Nullable String agent,
            @Nullable String alias,
            SessionId id,
            long messages) {}

    /// All that was done. `skipped` counts files that no known tool wrote.
    record Report(List<Line> sessions, List<String> problems, int skipped) {}

    @Override
    public Integer call() {
        if (paths.isEmpty()) {
            return tellPlaces();
        }
        for (var path : paths) {
            var files = ImportFiles.at(path);
            // Who names a file wants to know why it is not a session; who names a directory knows that not all are.
            var named = !Files.isDirectory(path);
            files.forEach(file -> bring(file, named));
        }
        if (json.wanted()) {
            program.answer(new Report(lines, problems, skipped));
        } else {
            sum();
        }
        return code.number();
    }

    private void bring(Path file, boolean named) {
        try {
            var foreign = SessionFiles.read(ImportFiles.read(file));
            if (foreign.isPresent()) {
                bring(file, foreign.get());
            } else if (named) {
                throw new UnreadableImport(file.toString(), "is not a session of a tool that is known here");
            } else {
                skipped++;
            }
        } catch (SkeinException e) {
            code = code == ExitCode.OK ? ExitCode.of(e.kind()) : code;
            problems.add(e instanceof UnreadableImport ? e.getMessage() : file + ": " + e.getMessage());
        }
    }

    private void bring(Path file, ForeignSession foreign) {
        var source = file.toString();
        var tool = foreign.tool().toString();
        var agent = program.scope().agent();
        if (dryRun) {
            var session = foreign.session();
            note(new Line(
                    source,
                    tool,
                    null,
                    agent == null ? session.scope().agent() : agent,
                    session.alias() == null ? null : session.alias().text(),
                    requireNonNull(session.id()),
                    foreign.messages()));
        } else {
            var brought = importer().bring(foreign, agent, again);
            note(new Line(
                    source,
                    tool,
                    brought.outcome().toString(),
                    brought.scope().agent(),
                    brought.alias() == null ? null : brought.alias().text(),
                    brought.id(),
                    foreign.messages()));
        }
        if (foreign.damage() != null) {
            problems.add(source + ": " + foreign.damage());
        }
    }

    private Importer importer() {
        var made = importer;
        if (made == null) {
            made = new Importer(program.store(), program::now, new Ids(Clock.systemUTC(), new SecureRandom()));
            importer = made;
        }
        return made;
    }

    private void note(Line line) {
        lines.add(line);
        if (json.wanted() || Outcome.UNCHANGED.toString().equals(line.outcome())) {
            return;
        }
        var terminal = program.terminal();
        terminal.line((line.outcome() == null ? "would import" : line.outcome()) + " "
                + (line.alias() == null ? line.id() : "'" + terminal.stored(line.alias()) + "'")
                + (line.agent() == null ? "" : " of " + terminal.stored(line.agent()))
                + ", " + SessionSheet.count(line.messages(), "message") + " of " + line.tool() + ", "
                + terminal.stored(line.source()));
    }

    private void sum() {
        var terminal = program.terminal();
        if (!dryRun && !lines.isEmpty()) {
            terminal.line("%s imported, %d continued, %d as before"
                    .formatted(
                            SessionSheet.count(count(Outcome.IMPORTED), "session"),
                            count(Outcome.CONTINUED),
                            count(Outcome.UNCHANGED)));
        }
        if (skipped > 0) {
            terminal.note(SessionSheet.count(skipped, "file") + " left out: no tool that is known here wrote them");
        }
        problems.forEach(problem -> terminal.note("warning: " + terminal.stored(problem)));
    }

    private long count(Outcome outcome) {
        return lines.stream()
                .filter(line -> outcome.toString().equals(line.outcome()))
                .count();
    }

    private int tellPlaces() {
        var places = ImportFiles.known(program.environment());
        var terminal = program.terminal();
        if (json.wanted()) {
            program.answer(places);
        } else if (places.isEmpty()) {
            terminal.line(
                    "no sessions of other tools where those keep them; name a file or a directory: skein import PATH");
        } else {
            places.forEach((tool, place) ->
                    terminal.line("%-14s skein import %s".formatted(tool, terminal.stored(place.toString()))));
        }
        return ExitCode.OK.number();
    }
}
