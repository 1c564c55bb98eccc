package dev.skein.bench;

import dev.skein.wire.Json;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// A conversation that is saved as a whole at every turn, as checkpointers of graph frameworks do: a new row with the
/// whole state.
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
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    void saveState() throws IOException {
        var state = Json.MAPPER.writeValueAsString(messages);
        try (var connection = plain.connection();
                var statement = connection.prepareStatement("INSERT INTO " + table + "_state VALUES (?, ?::jsonb)")) {
            statement.setLong(1, saved++);
            statement.setString(2, state);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }
}
