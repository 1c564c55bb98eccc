package dev.skein.store.jdbc.sql;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.skein.failure.StorageFailed;
import dev.skein.store.jdbc.sql.Dialect.Append;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// A database with our tables. Work runs on threads of its own, where no interrupt can break a connection in the
/// middle of a commit; whoever asked for it waits, and every wait has an end.
///
/// Safe for use by many threads.
public final class Database implements AutoCloseable {

    private static final long PAUSE_NANOS = 2_000_000;
    private static final int TRIES_MAX = 8;

    /// While one group is being committed, the server works on the other.
    private static final int BOATS = 2;

    /// Nobody stands in line for a connection that does not answer.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final StoreUrl url;
    private final Dialect dialect;
    private final Limits limits;
    private final HikariDataSource pool;
    private final ReentrantLock writing = new ReentrantLock(true);
    private final Ferry ferry;
    private volatile boolean closed;

    private Database(StoreUrl url, Dialect dialect, Limits limits, HikariDataSource pool) {
        this.url = url;
        this.dialect = dialect;
        this.limits = limits;
        this.pool = pool;
        this.ferry = new Ferry(together(), dialect.isSingleWriter() ? 1 : BOATS, PATIENCE);
    }

    /// Something that must be unique is there already. Nothing happened.
    public static final class Duplicate extends RuntimeException {
        Duplicate(SQLException cause) {
            super(cause);
        }
    }

    /// Work on a connection.
    public interface Work<T> {
        T run(Link link) throws SQLException;
    }

    /// Connects, and makes or migrates the tables.
    ///
    /// @throws dev.skein.failure.UnsupportedVersion if a newer program made them
    public static Database open(StoreUrl url, Limits limits) {
        var dialect = switch (url) {
            case StoreUrl.PostgresServer server -> new Postgres(server);
            case StoreUrl.SqliteFile file -> new Sqlite(file);
        };
        var config = dialect.pool(limits);
        config.setPoolName("skein");
        config.setMaximumPoolSize(limits.connections());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(limits.connect().toMillis());
        config.setInitializationFailTimeout(1);
        try {
            var database = new Database(url, dialect, limits, new HikariDataSource(config));
            database.migrate();
            return database;
        } catch (PoolInitializationException e) {
            throw e.getCause() instanceof SQLException cause
                    ? dialect.failure("open " + url, cause)
                    : StorageFailed.io("open " + url, e);
        }
    }

    private void migrate() {
        try {
            new Schema(this).migrate();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    public StoreUrl url() {
        return url;
    }

    public Dialect dialect() {
        return dialect;
    }

    /// Asks. If the connection turns out to be an old one that broke meanwhile, asks again on another.
    public <T> T read(String doing, Work<T> work) {
        return undisturbed(doing, () -> {
            for (int tries = 1; ; tries++) {
                try (var connection = pool.getConnection()) {
                    return work.run(new Link(connection, dialect));
                } catch (SQLException e) {
                    if (tries >= TRIES_MAX || !(isBroken(e) || dialect.isRetryable(e))) {
                        throw e;
                    }
                    LockSupport.parkNanos(PAUSE_NANOS << tries);
                }
            }
        });
    }

    /// One statement that changes something.
    public <T> T write(String doing, Work<T> work) {
        return dialect.isSingleWriter()
                ? transaction(doing, work)
                : undisturbed(doing, () -> retried(connection -> work.run(new Link(connection, dialect))));
    }

    /// Adds events at the end of a session, if it is as `append` says: together with what others append to other
    /// sessions at the same time, if there is anybody.
    ///
    /// @return whether it did
    public boolean append(String doing, Append append) {
        try {
            return ferry.append(append, () -> write(doing, link -> dialect.append(link, append)));
        } catch (SQLException e) {
            throw failed(doing, e);
        }
    }

    /// Several statements that happen together or not at all.
    public <T> T transaction(String doing, Work<T> work) {
        return undisturbed(doing, () -> inTransaction(work));
    }

    private <T> T inTransaction(Work<T> work) throws SQLException {
        return alone(() -> retried(connection -> {
            connection.setAutoCommit(false);
            try {
                var result = work.run(new Link(connection, dialect));
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                rollback(connection, e);
                throw e;
            }
        }));
    }

    /// A connection for somebody who keeps it; the pool does without it meanwhile.
    public Connection connection() throws SQLException {
        return pool.getConnection();
    }

    @Override
    public void close() {
        closed = true;
        ferry.close();
        pool.close();
        dialect.workers().shutdown();
    }

    Ferry.Crossing together() {
        return new Together();
    }

    /// Appends that go together, on a thread that nobody interrupts.
    private final class Together implements Ferry.Crossing {
        @Override
        public Object kind(Append append) {
            return dialect.kind(append);
        }

        @Override
        public boolean[] cross(List<Append> appends) throws SQLException {
            if (dialect.isSingleWriter()) {
                return inTransaction(link -> dialect.appendAll(link, appends));
            }
            try (var connection = pool.getConnection()) {
                return dialect.appendAll(new Link(connection, dialect), appends);
            }
        }

        /// Who found no connection in a group has waited as long as anybody may.
        @Override
        public boolean isFinal(SQLException e) {
            return e instanceof SQLTransientConnectionException || dialect.isUncertain(e);
        }
    }

    private interface Task<T> {
        T run() throws SQLException;
    }

    private interface OnConnection<T> {
        T run(Connection connection) throws SQLException;
    }

    /// What the database says did not happen is tried again.
    private <T> T retried(OnConnection<T> work) throws SQLException {
        var deadline = System.nanoTime() + limits.connect().toNanos();
        for (int tries = 1; ; tries++) {
            try (var connection = pool.getConnection()) {
                return work.run(connection);
            } catch (SQLException e) {
                if (!dialect.isRetryable(e) || System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS << Math.min(tries, TRIES_MAX));
            }
        }
    }

    private <T> T alone(Task<T> task) throws SQLException {
        if (!dialect.isSingleWriter()) {
            return task.run();
        }
        if (!entered()) {
            throw new SQLTransientConnectionException("others kept the database busy");
        }
        try {
            return task.run();
        } finally {
            writing.unlock();
        }
    }

    private boolean entered() {
        try {
            return writing.tryLock(limits.statement().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private <T> T undisturbed(String doing, Task<T> task) {
        if (closed) {
            throw new IllegalStateException("this store was closed");
        }
        var running = dialect.workers().submit(task::run);
        var interrupted = false;
        try {
            while (true) {
                try {
                    return result(doing, running);
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <T> T result(String doing, Future<T> running) throws InterruptedException {
        try {
            return running.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case SQLException failure -> throw failed(doing, failure);
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IllegalStateException("an unexpected failure", e);
            }
        }
    }

    private RuntimeException failed(String doing, SQLException e) {
        if (closed) {
            return new IllegalStateException("this store was closed", e);
        }
        if (dialect.isDuplicate(e)) {
            return new Duplicate(e);
        }
        if (e instanceof SQLTransientConnectionException) {
            var cause = e.getCause() instanceof SQLException reason ? ", " + reason.getMessage() : "";
            return StorageFailed.unavailable(
                    doing,
                    "no connection was free within " + limits.connect().toSeconds() + " s" + cause,
                    "check that the database runs, or allow more connections",
                    e);
        }
        // What the server said, without the driver's words about batches.
        return dialect.failure(
                doing, e instanceof BatchUpdateException && e.getCause() instanceof SQLException cause ? cause : e);
    }

    /// A connection of the pool that did not survive what the server went through; the next one may be new.
    private static boolean isBroken(SQLException e) {
        var state = e.getSQLState();
        return !(e instanceof SQLTransientConnectionException)
                && state != null
                && (state.startsWith("08") || state.startsWith("57P"));
    }

    private static void rollback(Connection connection, Exception because) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }
}
