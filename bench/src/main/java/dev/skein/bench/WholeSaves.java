package dev.skein.bench;

import dev.skein.wire.Json;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// A conversation that is saved as a whole at every turn, in the two ways that are common: a new row with the
/// whole state (checkpointers of graph frameworks), and all rows deleted and inserted again (chat memories on
/// JDBC).
final class WholeSaves {

    private final PlainInserts plain;
    private final List<String> messages = new ArrayList<>();
    private final String table;
    private long saved;

    WholeSaves(PlainInserts plain, int size) throws IOException {
        this.plain = plain;
        this.table = "whole_" + size;
        for (int i = 0; i < size; i++) {
            messages.add(Lab.text(i % 1_000));
        }
        try {
            plain.execute("CREATE TABLE " + table + "_state (version bigint PRIMARY KEY, state jsonb)");
            plain.execute("CREATE TABLE " + table
                    + "_message (conversation text, content text, type text, at timestamp)");
            plain.execute("CREATE INDEX ON " + table + "_message (conversation, at)");
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    void saveState() throws IOException {
        var state = Json.MAPPER.writeValueAsString(messages);
        try (var connection = plain.connection();
                var statement =
                        connection.prepareStatement("INSERT INTO " + table + "_state VALUES (?, ?::jsonb)")) {
            statement.setLong(1, saved++);
            statement.setString(2, state);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    void replaceAll() throws IOException {
        try (var connection = plain.connection()) {
            connection.setAutoCommit(false);
            try (var delete = connection.prepareStatement("DELETE FROM " + table + "_message WHERE conversation = ?");
                    var insert =
                            connection.prepareStatement("INSERT INTO " + table + "_message VALUES (?, ?, ?, now())")) {
                delete.setString(1, "one");
                delete.executeUpdate();
                for (var message : messages) {
                    insert.setString(1, "one");
                    insert.setString(2, message);
                    insert.setString(3, "USER");
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            connection.commit();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }
}
