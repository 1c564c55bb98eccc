package dev.skein.store.jdbc.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A connection for the length of one piece of work. For use by one thread.
public final class Link {

    private final Connection connection;
    private final Dialect dialect;

    Link(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    /// A value that the server reads as JSON at once, where a text would first be one and then be converted.
    record Json(String text) {}

    /// One row of an answer.
    public interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    public Dialect dialect() {
        return dialect;
    }

    public Connection connection() {
        return connection;
    }

    public <T> List<T> query(String sql, Row<T> reader, @Nullable Object... values) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            bind(statement, values);
            try (var rows = statement.executeQuery()) {
                var found = new ArrayList<T>();
                while (rows.next()) {
                    found.add(reader.read(rows));
                }
                return found;
            }
        }
    }

    public <T> Optional<T> first(String sql, Row<T> reader, @Nullable Object... values) throws SQLException {
        return query(sql, reader, values).stream().findFirst();
    }

    /// How many rows were changed.
    public int update(String sql, @Nullable Object... values) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            bind(statement, values);
            return statement.executeUpdate();
        }
    }

    /// The same statement with many values; how many rows each of them changed.
    public int[] updateAll(String sql, Iterable<@Nullable Object[]> rows) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (var values : rows) {
                bind(statement, values);
                statement.addBatch();
            }
            return statement.executeBatch();
        }
    }

    public UUID uuid(ResultSet row, int column) throws SQLException {
        return dialect.uuid(row, column);
    }

    private void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            switch (values[i]) {
                case null -> statement.setNull(i + 1, Types.NULL);
                case UUID uuid -> dialect.bind(statement, i + 1, uuid);
                case Long number -> statement.setLong(i + 1, number);
                case Integer number -> statement.setInt(i + 1, number);
                case Json(var text) -> statement.setObject(i + 1, text, Types.OTHER);
                case String text -> statement.setString(i + 1, text);
                case int[] numbers -> statement.setObject(i + 1, numbers);
                case Object other -> throw new IllegalArgumentException("cannot bind " + other.getClass());
            }
        }
    }
}
