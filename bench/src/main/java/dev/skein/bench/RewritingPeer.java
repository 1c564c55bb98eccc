package dev.skein.bench;

import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A session kept the way most tools keep theirs: at every turn, all messages as one JSON file, written beside the old
/// one, synced and renamed.
final class RewritingPeer {

    private final Path directory;
    private final List<Said> messages = new ArrayList<>();

    private record Said(String role, Instant at, String text) {}

    RewritingPeer(Path directory, int size) {
        this.directory = directory;
        while (messages.size() < size) {
            say();
        }
    }

    void takeTurn() throws IOException {
        say();
        say();
        var bytes = ByteBuffer.wrap(Json.MAPPER.writeValueAsBytes(messages));
        var written = directory.resolve("session.tmp");
        try (var channel = FileChannel.open(written, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(false);
        }
        Files.move(written, directory.resolve("session.json"), StandardCopyOption.ATOMIC_MOVE);
        try (var parent = FileChannel.open(directory, StandardOpenOption.READ)) {
            parent.force(true);
        }
    }

    private void say() {
        var role = messages.size() % 2 == 0 ? "user" : "assistant";
        messages.add(new Said(role, Instant.EPOCH, Lab.text(messages.size())));
    }
}
