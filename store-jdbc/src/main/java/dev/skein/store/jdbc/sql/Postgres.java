package dev.skein.store.jdbc.sql;

import com.zaxxer.hikari.HikariConfig;
import dev.skein.failure.StorageFailed;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// PostgreSQL, shared by many machines.
///
/// Uses nothing that databases which speak its protocol lack: no functions of its own, no advisory locks, no
/// extensions. An append is one statement, so it is one round trip and one transaction.
public final class Postgres implements Dialect {

    private static final String NEW_KEY =
            " AND NOT EXISTS (SELECT 1 FROM skein_event kept WHERE kept.session = ? AND kept.key = ?)";

    private static final int ROWS_MAX = 16;

    /// Whoever let a lease run out is told so at the next append, although nobody holds one now.
    private static final String FENCE =
            ", token = token + CASE WHEN holder IS NULL THEN 0 ELSE 1 END, holder = NULL, expires = NULL";

    private final StoreUrl.PostgresServer server;
    private final Map<Shape, String> statements = new ConcurrentHashMap<>();
    private final Map<Shape, String> together = new ConcurrentHashMap<>();
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

    /// What appends differ in as statements.
    private record Shape(boolean fenced, boolean keyed, int rows) {}

    Postgres(StoreUrl.PostgresServer server) {
        this.server = server;
    }

    @Override
    public HikariConfig pool(Limits limits) {
        var config = new HikariConfig();
        config.setJdbcUrl(url());
        if (server.user() != null) {
            config.setUsername(server.user());
        }
        if (server.password() != null) {
            config.setPassword(server.password());
        }
        config.addDataSourceProperty("ApplicationName", "skein");
        config.addDataSourceProperty("tcpKeepAlive", "true");
        // Or what a batch that failed had in it would be in its message, and so in the log of the pool.
        config.addDataSourceProperty("logServerErrorDetail", "false");
        config.addDataSourceProperty(
                "connectTimeout", Math.max(1, limits.connect().toSeconds()));
        // A server that does not answer at all is given up a little later than a statement that it would end itself.
        config.addDataSourceProperty("socketTimeout", limits.statement().toSeconds() + 5);
        server.parameters().forEach(config::addDataSourceProperty);
        config.addDataSourceProperty("options", options(limits));
        return config;
    }

    String url() {
        return "jdbc:postgresql://" + server.place();
    }

    private String options(Limits limits) {
        // Planning an append again would cost a fourth of it, and no plan of ours depends on the values.
        var own = ("-c statement_timeout=%d -c idle_in_transaction_session_timeout=60000 -c client_min_messages=warning"
                        + " -c plan_cache_mode=force_generic_plan")
                .formatted(limits.statement().toMillis());
        return own + " " + server.parameters().getOrDefault("options", "");
    }

    @Override
    public List<List<String>> migrations() {
        // json and not jsonb: the latter cannot hold a NUL or half a character, and changes what it is given.
        var first = new ArrayList<>(Tables.first("uuid", "json", "", " WITH (fillfactor = 60)"));
        first.add("CREATE TABLE skein_chunk (session uuid NOT NULL, first bigint NOT NULL, last bigint NOT NULL,"
                + " owner text NOT NULL, grams int[] NOT NULL, PRIMARY KEY (session, first))");
        first.add("CREATE INDEX skein_chunk_grams ON skein_chunk USING gin (grams)");
        // The same as Tables.fourth(), without writing all rows again.
        var fourth = List.of("ALTER TABLE skein_head ALTER COLUMN minute DROP EXPRESSION");
        return List.of(first, Tables.second(), Tables.third("STORED"), fourth);
    }

    @Override
    public String now() {
        return "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    }

    @Override
    public String shared() {
        return " FOR SHARE";
    }

    @Override
    public String exclusive() {
        return " FOR UPDATE";
    }

    @Override
    public String relaxed() {
        return " FROM (SELECT set_config('synchronous_commit', 'off', true)) relaxed";
    }

    @Override
    public void bind(PreparedStatement statement, int index, UUID uuid) throws SQLException {
        statement.setObject(index, uuid);
    }

    @Override
    public UUID uuid(ResultSet row, int column) throws SQLException {
        return row.getObject(column, UUID.class);
    }

    @Override
    public boolean append(Link link, Append append) throws SQLException {
        return link.update(statements.computeIfAbsent(shape(append), this::advance), values(append)) > 0;
    }

    @Override
    public Object kind(Append append) {
        return shape(append);
    }

    private static Shape shape(Append append) {
        return new Shape(
                append.token() == null,
                append.key() != null,
                Math.min(append.bodies().size(), ROWS_MAX + 1));
    }

    /// The driver sends them without waiting for answers in between, and the server commits when it has done all.
    @Override
    public boolean[] appendAll(Link link, List<Append> appends) throws SQLException {
        var sql = together.computeIfAbsent(shape(appends.getFirst()), this::advanceUnlocked);
        var counts = link.updateAll(sql, appends.stream().map(Postgres::values).toList());
        var happened = new boolean[counts.length];
        for (int i = 0; i < counts.length; i++) {
            happened[i] = counts[i] > 0;
        }
        return happened;
    }

    private static @Nullable Object[] values(Append append) {
        var fenced = append.token() == null;
        var count = append.bodies().size();
        var values = new ArrayList<@Nullable Object>(
                List.of((long) count, append.activity(), append.activity(), append.session(), append.version()));
        if (!fenced) {
            values.add(append.token());
        }
        if (append.key() != null) {
            values.add(append.session());
            values.add(append.key());
        }
        values.add(append.version());
        values.add(append.key());
        values.add(count);
        if (count > ROWS_MAX) {
            values.add(new Link.Json(array(append.bodies())));
        } else {
            append.bodies().forEach(body -> values.add(new Link.Json(new String(body, StandardCharsets.UTF_8))));
        }
        return values.toArray();
    }

    /// A few events are rows of their own, each read once by the server; many are one array, or there would be as many
    /// statements to prepare as there are sizes.
    private static String rows(int count) {
        if (count > ROWS_MAX) {
            return "json_array_elements(?::json) WITH ORDINALITY AS event(body, nth)";
        }
        var rows = new StringJoiner(", ", "(VALUES ", ") AS event(nth, body)");
        for (int nth = 1; nth <= count; nth++) {
            rows.add("(" + nth + ", ?::json)");
        }
        return rows.toString();
    }

    private String advance(Shape shape) {
        return advance(shape, expected(shape));
    }

    /// One statement of many waits for nobody, or all others would wait with it; and of two programs that do many at
    /// once, neither can wait for the other.
    private String advanceUnlocked(Shape shape) {
        return advance(
                shape,
                "session = (SELECT session FROM skein_head WHERE " + expected(shape)
                        + " FOR NO KEY UPDATE SKIP LOCKED)");
    }

    private String expected(Shape shape) {
        return "session = ? AND version = ? AND life = 'live' AND "
                + (shape.fenced() ? "(holder IS NULL OR expires <= " + now() + ")" : "token = ?")
                + (shape.keyed() ? NEW_KEY : "");
    }

    private static String advance(Shape shape, String where) {
        return "WITH head AS (UPDATE skein_head SET version = version + ?, activity = greatest(activity, ?),"
                + " minute = greatest(activity, ?) / " + NANOS_PER_MINUTE
                + (shape.fenced() ? FENCE : "")
                + " WHERE " + where
                + " RETURNING session, version)"
                + " INSERT INTO skein_event (session, seq, key, size, body)"
                + " SELECT head.session, ? + event.nth, CASE WHEN event.nth = 1 THEN ? END,"
                + " CASE WHEN event.nth = 1 THEN ? END, event.body"
                + " FROM head, " + rows(shape.rows());
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
        link.updateAll("INSERT INTO skein_event (session, seq, key, size, body) VALUES (?, ?, ?, ?, ?::json)", rows);
    }

    @Override
    public void index(Link link, UUID session, String owner, long first, long last, Grams grams) throws SQLException {
        link.update(
                "INSERT INTO skein_chunk (session, first, last, owner, grams) VALUES (?, ?, ?, ?, ?)"
                        + " ON CONFLICT (session, first) DO UPDATE SET last = excluded.last, grams = excluded.grams",
                session,
                first,
                last,
                owner,
                grams.numbers());
    }

    @Override
    public int unindex(Link link, UUID session, int most) throws SQLException {
        return link.update(
                "DELETE FROM skein_chunk WHERE session = ? AND first IN"
                        + " (SELECT first FROM skein_chunk WHERE session = ? LIMIT ?)",
                session,
                session,
                most);
    }

    @Override
    public Matching matching(String owner, String text) {
        return new Matching(
                "SELECT session, first, last FROM skein_chunk WHERE owner = ? AND grams @> ?",
                List.of(owner, Grams.of(text).askedNumbers()));
    }

    @Override
    public boolean isUnknownTable(SQLException e) {
        return "42P01".equals(e.getSQLState());
    }

    @Override
    public boolean isDuplicate(SQLException e) {
        return "23505".equals(e.getSQLState());
    }

    /// Also if one of several failures at once says so: the server gave a reason, and then was gone.
    @Override
    public boolean isUncertain(SQLException e) {
        for (var each : e) {
            if (each instanceof SQLException failure) {
                var state = failure.getSQLState();
                if (state == null || state.startsWith("08") || state.startsWith("57P")) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public boolean isRetryable(SQLException e) {
        return "40001".equals(e.getSQLState()) || "40P01".equals(e.getSQLState());
    }

    @Override
    public StorageFailed failure(String doing, SQLException e) {
        var state = e.getSQLState() == null ? "" : e.getSQLState();
        if (state.equals("53100") || state.equals("53200")) {
            return StorageFailed.full(doing, e);
        }
        if (state.equals("57014") || state.equals("55P03")) {
            return StorageFailed.unavailable(doing, "it took too long", "look at what the database is busy with", e);
        }
        if (state.startsWith("28") || state.equals("42501")) {
            return StorageFailed.unavailable(doing, reason(e), "check user, password and grants", e);
        }
        return StorageFailed.unavailable(doing, reason(e), "check that the database runs and try again", e);
    }

    @Override
    public ExecutorService workers() {
        return workers;
    }

    @Override
    public boolean isSingleWriter() {
        return false;
    }

    private static String reason(SQLException e) {
        var message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return message.lines().findFirst().orElse("no reason was given");
    }

    private static String array(List<byte[]> bodies) {
        var out = new ByteArrayOutputStream(
                bodies.stream().mapToInt(body -> body.length + 1).sum() + 2);
        var between = '[';
        for (var body : bodies) {
            out.write(between);
            out.writeBytes(body);
            between = ',';
        }
        out.write(']');
        return out.toString(StandardCharsets.UTF_8);
    }
}
