package dev.skein.exchange.imports;

import dev.skein.exchange.loki.LokiFileName;
import dev.skein.exchange.loki.LokiSession;
import dev.skein.failure.UnreadableImport;
import dev.skein.session.Scope;
import dev.skein.wire.Json;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;

/// Tells who wrote a file, and reads it.
public final class SessionFiles {

    /// Bytes of one file at most.
    public static final int BYTES_MAX = 256 * 1024 * 1024;

    /// Bytes at most of a file that is one JSON value, which needs several times that much memory.
    private static final int TREE_MAX = 64 * 1024 * 1024;

    private static final ObjectReader JSON =
            Json.MAPPER.readerFor(JsonNode.class).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final String SESSIONS = "sessions";
    private static final String AGENTS = "agents";

    private SessionFiles() {}

    /// Whether the name is one that session files have. Indexes and what a program left half written are none.
    public static boolean maySay(Path path) {
        var name = path.getFileName() == null ? "" : path.getFileName().toString();
        var lower = name.toLowerCase(Locale.ROOT);
        return !lower.startsWith(".")
                && !lower.equals("index.json")
                && (lower.endsWith(".json")
                        || lower.endsWith(".jsonl")
                        || (lower.endsWith(".yaml") && belowSessions(path) != null));
    }

    /// The session in a file; empty if no tool that is known here writes such files.
    ///
    /// @throws UnreadableImport if one does, but something in it is wrong
    public static Optional<ForeignSession> read(SourceFile file) {
        var name = file.path().toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".yaml") || name.endsWith(".yml")) {
            return Optional.of(loki(file));
        }
        if (name.endsWith(".jsonl")) {
            return LineFiles.read(file);
        }
        var root = parse(file);
        if (PhiFile.isList(root)) {
            return Optional.of(PhiFile.readList(root, file));
        }
        if (!root.isObject()) {
            return Optional.empty();
        }
        var fields = Fields.of(root, file.name(), "the session");
        if (PhiFile.isOne(root)) {
            return Optional.of(PhiFile.read(fields, file));
        }
        if (MiniclawFile.isOne(root)) {
            return Optional.of(MiniclawFile.read(fields, file));
        }
        if (HarnessFile.isOne(root)) {
            return Optional.of(HarnessFile.read(fields, file));
        }
        return SkeinFile.isOne(root) ? Optional.of(SkeinFile.read(fields, file)) : Optional.empty();
    }

    private static JsonNode parse(SourceFile file) {
        if (file.content().length > TREE_MAX) {
            throw new UnreadableImport(file.name(), "is larger than " + TREE_MAX / 1024 / 1024 + " MiB");
        }
        try {
            return JSON.readTree(file.content());
        } catch (JacksonException e) {
            var line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            throw UnreadableImport.atLine(file.name(), line, "is not JSON", e);
        }
    }

    /// The names of Loki's files and of the directories above are all that is said of a session's name and agent. They
    /// have no times either.
    private static ForeignSession loki(SourceFile file) {
        var below = belowSessions(file.path());
        var path = below == null ? file.path().getFileName() : below;
        var name = LokiFileName.of(path == null ? file.path() : path);
        var id = file.path().toString();
        var read = LokiSession.read(
                file.content(), file.name(), file.modifiedAt(), ForeignSession.ids(Tool.LOKI, id, file.modifiedAt()));
        var session = ForeignSession.named(Tool.LOKI, file, id)
                .named(name.map(LokiFileName::alias).orElseGet(() -> ForeignSession.alias(file.stem())))
                .withEvents(read.events());
        if (name.isPresent() && name.get().autoname()) {
            session = session.autonamed();
        }
        var foreign = new ForeignSession(Tool.LOKI, session, file.modifiedAt(), read.damage(), null);
        var agent = agentOf(file.path());
        return agent == null ? foreign : foreign.in(new Scope(Scope.LOCAL.owner(), agent));
    }

    /// What follows the last directory called `sessions`.
    private static @Nullable Path belowSessions(Path path) {
        for (int i = path.getNameCount() - 2; i >= 0; i--) {
            if (path.getName(i).toString().equals(SESSIONS)) {
                return path.subpath(i + 1, path.getNameCount());
            }
        }
        return null;
    }

    /// `agents/NAME/sessions/…` belongs to an agent.
    private static @Nullable String agentOf(Path path) {
        for (int i = path.getNameCount() - 2; i >= 2; i--) {
            if (path.getName(i).toString().equals(SESSIONS)
                    && path.getName(i - 2).toString().equals(AGENTS)) {
                return path.getName(i - 1).toString();
            }
        }
        return null;
    }
}
