package dev.skein.store.jdbc.sql;

import com.zaxxer.hikari.HikariConfig;
import dev.skein.failure.StorageFailed;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// What differs between one database and the other.
public sealed interface Dialect permits Postgres, Sqlite {

    /// Where the pool connects to.
    HikariConfig pool(Limits limits);

    /// The statements that bring an empty database to version 1, one to version 2, and so on.
    List<List<String>> migrations();

    long NANOS_PER_MINUTE = 60_000_000_000L;

    /// The minute by which the tables keep heads in order.
    static long minute(long nanos) {
        return nanos / NANOS_PER_MINUTE;
    }

    /// Milliseconds since 1970 on the database's clock, as an expression.
    String now();

    /// Follows a `SELECT` in a transaction that nobody may contradict until its end.
    String shared();

    /// Follows a `SELECT` in a transaction that nobody else may be in at the same time.
    String exclusive();

    /// A `FROM` for an `UPDATE` that need not survive the machine: it does not wait for the disk.
    String relaxed();

    void bind(PreparedStatement statement, int index, UUID uuid) throws SQLException;

    UUID uuid(ResultSet row, int column) throws SQLException;

    /// Adds events at the end of a session, if it is as `append` says. All of them or none.
    ///
    /// @return whether it did
    boolean append(Link link, Append append) throws SQLException;

    /// Whether two appends can go together is whether their kinds are equal.
    Object kind(Append append);

    /// Appends of one kind, each to a session of its own, all in one go. What would have to wait for others who have
    /// locked a session does not happen.
    ///
    /// @return which of them happened
    boolean[] appendAll(Link link, List<Append> appends) throws SQLException;

    /// Adds events from sequence number `first` on, in a transaction that made sure that this is their place.
    void insertEvents(Link link, UUID session, long first, List<Body> bodies) throws SQLException;

    /// Notes which texts of three letters occur in the events `first` to `last`.
    void index(Link link, UUID session, String owner, long first, long last, Grams grams) throws SQLException;

    /// Forgets what was noted about a session, at most so many rows; how many it were.
    int unindex(Link link, UUID session, int most) throws SQLException;

    /// The notes of one owner that may contain a text, as a `SELECT` of session, first and last, and its
    /// parameters.
    Matching matching(String owner, String text);

    boolean isUnknownTable(SQLException e);

    boolean isDuplicate(SQLException e);

    /// It may have happened although it failed.
    boolean isUncertain(SQLException e);

    /// Nothing happened, and trying again may help.
    boolean isRetryable(SQLException e);

    StorageFailed failure(String doing, SQLException e);

    /// Runs work, and keeps interrupts away from it.
    ExecutorService workers();

    /// Whether one writer at a time is all that the database takes.
    boolean isSingleWriter();

    /// What an append is and on which conditions it happens.
    ///
    /// @param token of the lease that must still hold, or null if nobody must hold one
    /// @param activity when the newest of the events happened
    record Append(
            UUID session,
            long version,
            @Nullable Long token,
            @Nullable String key,
            long activity,
            List<byte[]> bodies) {

        long bytes() {
            return bodies.stream().mapToLong(body -> body.length).sum();
        }
    }

    /// An event as it is stored: its JSON, and what its append is if it is the first of one.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Body(byte[] json, @Nullable String key, @Nullable Integer size) {}

    record Matching(String sql, List<Object> values) {}
}
