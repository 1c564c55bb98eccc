package dev.skein.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import javax.sql.DataSource;

/// The least that keeps a turn in PostgreSQL: its events, as JSON, in one INSERT. No version is compared,
/// no name, lease or listing kept.
final class PlainInserts implements AutoCloseable {

    private final HikariDataSource pool;
    private final ConcurrentMap<Integer, Long> places = new ConcurrentHashMap<>();

    PlainInserts(String url, int connections) throws SQLException {
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:" + url);
        config.setMaximumPoolSize(connections);
        pool = new HikariDataSource(config);
        execute("CREATE TABLE plain_event (session bigint, seq bigint, body json, PRIMARY KEY (session, seq))");
    }

    DataSource source() {
        return pool;
    }

    Connection connection() throws SQLException {
        return pool.getConnection();
    }

    void execute(String sql) throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    void insert(int session, List<byte[]> bodies) throws IOException {
        var first = places.merge(session, (long) bodies.size(), Long::sum) - bodies.size();
        var rows = String.join(", ", Collections.nCopies(bodies.size(), "(?, ?, ?::json)"));
        try (var connection = pool.getConnection();
                var statement = connection.prepareStatement("INSERT INTO plain_event VALUES " + rows)) {
            for (int i = 0; i < bodies.size(); i++) {
                statement.setLong(3 * i + 1, session);
                statement.setLong(3 * i + 2, first + i);
                statement.setString(3 * i + 3, new String(bodies.get(i), StandardCharsets.UTF_8));
            }
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
