package dev.skein.store.jdbc.sql;

import com.zaxxer.hikari.HikariConfig;
import dev.skein.failure.StorageFailed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// SQLite: a database in one file, for the processes of one machine.
///
/// Written ahead and synced at every commit. It takes one writer at a time, so the writers of this process queue
/// before they come here.
public final class Sqlite implements Dialect {

    /// How long the native code waits for other processes; longer waits are made of these, outside of it.
    private static final String ADVANCE = "UPDATE skein_head SET version = version + ?, activity = max(activity, ?),"
            + " minute = max(activity, ?) / " + NANOS_PER_MINUTE;

    private static final int BUSY_MILLIS = 50;

    private final StoreUrl.SqliteFile url;
    private final ExecutorService workers = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("skein-sqlite-", 0).factory());

    Sqlite(StoreUrl.SqliteFile url) {
        this.url = url;
    }

    @Override
    public HikariConfig pool(Limits limits) {
        try {
            PrivateFile.require(url.file());
        } catch (IOException e) {
            throw StorageFailed.io("make " + url, e);
        }
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite:" + url.file());
        config.addDataSourceProperty("journal_mode", "WAL");
        config.addDataSourceProperty("synchronous", "FULL");
        config.addDataSourceProperty("busy_timeout", BUSY_MILLIS);
        config.addDataSourceProperty("transaction_mode", "IMMEDIATE");
        return config;
    }

    @Override
    public List<List<String>> migrations() {
        var first = new ArrayList<>(Tables.first("text", "text", " CHECK (json_valid(body))", ""));
        first.add("CREATE TABLE skein_chunk (chunk integer PRIMARY KEY, session text NOT NULL, first bigint NOT NULL,"
                + " last bigint NOT NULL, owner text NOT NULL, UNIQUE (session, first))");
        first.add("CREATE VIRTUAL TABLE skein_gram USING fts5 (words, content = '', contentless_delete = 1,"
                + " detail = none, tokenize = 'trigram')");
        return List.of(first, Tables.second(), Tables.third("VIRTUAL"), Tables.fourth());
    }

    @Override
    public String now() {
        return "CAST(unixepoch('subsec') * 1000 AS integer)";
    }

    /// A transaction here is alone anyway.
    @Override
    public String shared() {
        return "";
    }

    @Override
    public String exclusive() {
        return "";
    }

    @Override
    public String relaxed() {
        return "";
    }

    @Override
    public void bind(PreparedStatement statement, int index, UUID uuid) throws SQLException {
        statement.setString(index, uuid.toString());
    }

    @Override
    public UUID uuid(ResultSet row, int column) throws SQLException {
        return UUID.fromString(row.getString(column));
    }

    @Override
    public boolean append(Link link, Append append) throws SQLException {
        var key = append.key();
        if (key != null
                && link.first(
                                "SELECT 1 FROM skein_event WHERE session = ? AND key = ?",
                                row -> row.getInt(1),
                                append.session(),
                                key)
                        .isPresent()) {
            return false;
        }
        if (!advance(link, append)) {
            return false;
        }
        var bodies = new ArrayList<Body>(append.bodies().size());
        for (var body : append.bodies()) {
            bodies.add(bodies.isEmpty() ? new Body(body, key, append.bodies().size()) : new Body(body, null, null));
        }
        insertEvents(link, append.session(), append.version() + 1, bodies);
        return true;
    }

    @Override
    public Object kind(Append append) {
        return "any";
    }

    @Override
    public boolean[] appendAll(Link link, List<Append> appends) throws SQLException {
        var happened = new boolean[appends.size()];
        for (int i = 0; i < happened.length; i++) {
            happened[i] = append(link, appends.get(i));
        }
        return happened;
    }

    private boolean advance(Link link, Append append) throws SQLException {
        var count = (long) append.bodies().size();
        if (append.token() != null) {
            return link.update(
                            ADVANCE + " WHERE session = ? AND version = ? AND life = 'live' AND token = ?",
                            count,
                            append.activity(),
                            append.activity(),
                            append.session(),
                            append.version(),
                            append.token())
                    > 0;
        }
        return link.update(
                        ADVANCE
                                + ", token = token + (holder IS NOT NULL), holder = NULL, expires = NULL"
                                + " WHERE session = ? AND version = ? AND life = 'live'"
                                + " AND (holder IS NULL OR expires <= " + now() + ")",
                        count,
                        append.activity(),
                        append.activity(),
                        append.session(),
                        append.version())
                > 0;
    }

    @Override
    public void insertEvents(Link link, UUID session, long first, List<Body> bodies) throws SQLException {
        var seq = first;
        var rows = new ArrayList<@Nullable Object[]>();
        for (var body : bodies) {
            rows.add(new @Nullable Object[] {
                session, seq++, body.key(), body.size(), new String(body.json(), StandardCharsets.UTF_8)
            });
        }
        link.updateAll("INSERT INTO skein_event (session, seq, key, size, body) VALUES (?, ?, ?, ?, ?)", rows);
    }

    @Override
    public void index(Link link, UUID session, String owner, long first, long last, Grams grams) throws SQLException {
        var chunk = link.first(
                "INSERT INTO skein_chunk (session, first, last, owner) VALUES (?, ?, ?, ?)"
                        + " ON CONFLICT (session, first) DO UPDATE SET last = excluded.last RETURNING chunk",
                row -> row.getLong(1),
                session,
                first,
                last,
                owner);
        link.update("DELETE FROM skein_gram WHERE rowid = ?", chunk.orElseThrow());
        link.update("INSERT INTO skein_gram (rowid, words) VALUES (?, ?)", chunk.orElseThrow(), grams.text());
    }

    @Override
    public int unindex(Link link, UUID session, int most) throws SQLException {
        var chunks = link.query(
                "SELECT chunk FROM skein_chunk WHERE session = ? LIMIT ?", row -> row.getLong(1), session, most);
        for (var chunk : chunks) {
            link.update("DELETE FROM skein_gram WHERE rowid = ?", chunk);
            link.update("DELETE FROM skein_chunk WHERE chunk = ?", chunk);
        }
        return chunks.size();
    }

    @Override
    public Matching matching(String owner, String text) {
        var asked = Grams.of(text).asked().stream()
                .map(gram -> '"' + gram.replace("\"", "\"\"") + '"')
                .collect(Collectors.joining(" AND "));
        return new Matching(
                "SELECT session, first, last FROM skein_chunk WHERE owner = ?"
                        + " AND chunk IN (SELECT rowid FROM skein_gram WHERE skein_gram MATCH ?)",
                List.of(owner, asked));
    }

    @Override
    public boolean isUnknownTable(SQLException e) {
        return String.valueOf(e.getMessage()).contains("no such table");
    }

    @Override
    public boolean isDuplicate(SQLException e) {
        return e instanceof SQLiteException failure
                && (failure.getResultCode() == SQLiteErrorCode.SQLITE_CONSTRAINT_UNIQUE
                        || failure.getResultCode() == SQLiteErrorCode.SQLITE_CONSTRAINT_PRIMARYKEY);
    }

    @Override
    public boolean isUncertain(SQLException e) {
        return !(e instanceof SQLiteException failure) || primary(failure) == SQLiteErrorCode.SQLITE_IOERR.code;
    }

    @Override
    public boolean isRetryable(SQLException e) {
        return e instanceof SQLiteException failure && primary(failure) == SQLiteErrorCode.SQLITE_BUSY.code;
    }

    @Override
    public StorageFailed failure(String doing, SQLException e) {
        if (e instanceof SQLiteException failure) {
            var code = primary(failure);
            if (code == SQLiteErrorCode.SQLITE_FULL.code) {
                return StorageFailed.full(doing, e);
            }
            if (code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code) {
                return StorageFailed.unavailable(
                        doing, "another process kept the database busy", "try again when it is done", e);
            }
            if (code == SQLiteErrorCode.SQLITE_READONLY.code
                    || code == SQLiteErrorCode.SQLITE_CANTOPEN.code
                    || code == SQLiteErrorCode.SQLITE_PERM.code) {
                return StorageFailed.denied(doing, e);
            }
        }
        return StorageFailed.io(doing, e);
    }

    @Override
    public ExecutorService workers() {
        return workers;
    }

    @Override
    public boolean isSingleWriter() {
        return true;
    }

    /// Without what makes the code more precise.
    private static int primary(SQLiteException e) {
        return e.getResultCode().code & 0xFF;
    }
}
