package dev.skein.store.file;

import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// Where the files of one scope are.
///
/// Names are plain ASCII whatever people type, so that they survive every locale and case-insensitive disks: the
/// case-folded text, anything but `a-z 0-9 - _ .` percent-escaped, and names that would be too long ended by a
/// hash.
record Layout(Path sessions) {

    /// Stands only in names that were cut.
    static final String HASHED = "~";

    private static final int NAME_LENGTH_MAX = 180;
    private static final Pattern AGENT = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,179}");

    /// The directory of a scope's sessions below a home.
    static Layout of(Path home, Scope scope) {
        var base = scope.owner().equals(Scope.LOCAL_OWNER)
                ? home
                : home.resolve("owners").resolve(escape(scope.owner()));
        var agent = scope.agent();
        return new Layout(
                (agent == null ? base : base.resolve("agents").resolve(agentDirectory(agent))).resolve("sessions"));
    }

    Path byId() {
        return sessions.resolve("by-id");
    }

    Path byName() {
        return sessions.resolve("by-name");
    }

    Path session(SessionId id) {
        return byId().resolve(id.toString());
    }

    /// Deleted sessions whose history forks still read.
    Path forked() {
        return sessions.resolve("forked");
    }

    Path forkedFrom(SessionId id) {
        return forked().resolve(id.toString());
    }

    Path trash() {
        return sessions.resolve("trash");
    }

    /// A purged session, while it can still be restored.
    Path trashed(SessionId id) {
        return trash().resolve(id.toString());
    }

    /// Holds, for each session that came back from the trash, when that was.
    Path restored() {
        return sessions.resolve("restored");
    }

    /// Holds, for each file of another tool that was migrated, the id of the session made from it.
    Path migrated(String source) {
        return sessions.resolve("migrated").resolve(escape(source));
    }

    Path name(SessionAlias alias) {
        return byName().resolve(escape(alias.folded()));
    }

    Path index() {
        return sessions.resolve("index.json");
    }

    Path lastSession() {
        return sessions.resolve("last_session");
    }

    /// Serialises what changes names: create with an alias, rename, delete, fork, migrate.
    Path namesLock() {
        return sessions.resolve("lock");
    }

    static Path journal(Path session) {
        return session.resolve("journal.jsonl");
    }

    /// Holds the name that the session was last given, whether or not it was found by it then.
    static Path named(Path session) {
        return session.resolve("name");
    }

    static Path state(Path session) {
        return session.resolve("state.yaml");
    }

    static Path lock(Path session) {
        return session.resolve("lock");
    }

    /// Holds one empty file for each fork of the session, named by the fork's id.
    static Path forks(Path session) {
        return session.resolve("forks");
    }

    /// An agent's directory is made by a person, whose capitals stay as they are.
    static String agentDirectory(String agent) {
        return AGENT.matcher(agent).matches() ? agent : escape(agent);
    }

    /// A name as a file name.
    static String escape(String name) {
        var bytes = name.getBytes(StandardCharsets.UTF_8);
        var escaped = new StringBuilder(bytes.length + 16);
        for (var b : bytes) {
            var c = (char) (b & 0xFF);
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.') {
                escaped.append(c);
            } else {
                escaped.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        if (escaped.charAt(0) == '.') {
            escaped.replace(0, 1, "%2E");
        }
        if (escaped.length() <= NAME_LENGTH_MAX) {
            return escaped.toString();
        }
        return escaped.substring(0, NAME_LENGTH_MAX - 40) + HASHED + hash(bytes);
    }

    /// The text that [#escape] made a file name of, as far as it can be told from the file name.
    static String unescape(String fileName) {
        var out = new ByteArrayOutputStream(fileName.length());
        for (int i = 0; i < fileName.length(); i++) {
            var c = fileName.charAt(i);
            if (c == '%' && isHex(fileName, i + 1)) {
                out.write(HexFormat.fromHexDigits(fileName, i + 1, i + 3));
                i += 2;
            } else {
                out.write(c < 0x80 ? c : '?');
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static boolean isHex(String text, int at) {
        return at + 1 < text.length()
                && HexFormat.isHexDigit(text.charAt(at))
                && HexFormat.isHexDigit(text.charAt(at + 1));
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
