package dev.skein.testkit.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A PostgreSQL server of its own that keeps its promises to the disk, and can be killed and started again.
public final class MortalPostgres implements AutoCloseable {

    private final Path directory;
    private final int port;
    private EmbeddedPostgres server;

    public MortalPostgres(Path directory) throws IOException {
        this.directory = directory;
        this.server = start(0);
        this.port = server.getPort();
    }

    public String url() {
        return urlAt(port);
    }

    /// As if it listened on another port, for whoever passes on from there.
    public String urlAt(int otherPort) {
        return "postgresql://localhost:" + otherPort + "/postgres?user=postgres";
    }

    public int port() {
        return port;
    }

    /// Kills the server and all its processes as `kill -9` does, and waits until they are gone.
    public void kill() throws IOException {
        var pid = Long.parseLong(
                Files.readAllLines(directory.resolve("postmaster.pid")).getFirst());
        var postmaster = ProcessHandle.of(pid).orElseThrow();
        List<ProcessHandle> family = new ArrayList<>(postmaster.descendants().toList());
        family.addFirst(postmaster);
        family.forEach(ProcessHandle::destroyForcibly);
        family.forEach(each -> each.onExit().orTimeout(60, TimeUnit.SECONDS).join());
        try {
            server.close();
        } catch (IOException _) {
            // It cannot be stopped any more; all that matters is that its files are let go.
        }
    }

    public void restart() throws IOException {
        server = start(port);
    }

    private EmbeddedPostgres start(int onPort) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(directory)
                .setCleanDataDirectory(false)
                .setPort(onPort)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_connections", "100")
                .setPGStartupWait(Duration.ofSeconds(90))
                .start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
