package dev.skein.bench;

import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.jdbc.JdbcOptions;
import dev.skein.store.jdbc.JdbcSessionStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;

/// One of several programs that append to sessions of one database: says `ready`, and for every line it reads, appends
/// for a while and says how much that was.
public final class NodeProgram {

    private NodeProgram() {}

    /// Arguments: address of the database, a directory, how many writers, for how many milliseconds.
    public static void main(String[] args) throws IOException {
        var writers = Integer.parseInt(args[2]);
        var options = JdbcOptions.standard().withRest(Duration.ofHours(1));
        try (var store = JdbcSessionStore.open(args[0], options);
                var lab = Lab.in(Path.of(args[1]));
                var in = new java.io.BufferedReader(
                        new java.io.InputStreamReader(System.in, java.nio.charset.StandardCharsets.UTF_8))) {
            var sessions = new ArrayList<SessionHandle>();
            for (int i = 0; i < writers; i++) {
                sessions.add(store.create(NewSession.in(Lab.SCOPE)));
            }
            System.out.println("ready");
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(Crowd.perHour(
                        writers,
                        Duration.ofMillis(Long.parseLong(args[3])),
                        number -> sessions.get(number).append(lab.turn(null, 1))));
            }
        }
    }
}
