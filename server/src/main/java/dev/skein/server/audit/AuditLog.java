package dev.skein.server.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.skein.failure.StorageFailed;
import dev.skein.redaction.Redaction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A file of JSON lines that says who did what. When it is full it is put aside as `NAME.1`, and that as `NAME.2`, ….
///
/// One thread writes; whoever has something to say waits for at most 50 ms for a place in the queue. What finds none is
/// lost, and that is told. Safe for use by many threads.
public final class AuditLog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final int QUEUE = 10_000;
    private static final int WAIT_MILLIS = 50;
    private static final int CLOSE_SECONDS = 5;

    private final Path path;
    private final Options options;
    private final Redaction redaction;
    private final InstantSource clock;
    private final Runnable lost;
    private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Thread writer;
    private volatile boolean closing;
    private FileChannel channel;

    /// How much is kept.
    ///
    /// @param bytesMax when a file is full
    /// @param kept how many full ones are kept
    public record Options(long bytesMax, int kept) {

        public static final Options STANDARD = new Options(50L * 1024 * 1024, 5);
    }

    private AuditLog(
            Path path, Options options, Redaction redaction, InstantSource clock, Runnable lost, FileChannel channel) {
        this.path = path;
        this.options = options;
        this.redaction = redaction;
        this.clock = clock;
        this.lost = lost;
        this.channel = channel;
        this.writer = Thread.ofPlatform().daemon().name("skein-audit").unstarted(this::write);
    }

    /// Appends to the file, or makes it, for its owner's eyes only. `lost` is run for every line that is lost.
    public static AuditLog open(Path path, Options options, Redaction redaction, InstantSource clock, Runnable lost) {
        try {
            var log = new AuditLog(path, options, redaction, clock, lost, channel(path));
            log.writer.start();
            return log;
        } catch (IOException e) {
            throw StorageFailed.io("open the audit log " + path, e);
        }
    }

    public void add(AuditEntry entry) {
        var line = JsonLine.of(clock.instant(), entry, redaction);
        try {
            // Where there is room, an interrupt costs no line.
            if (closing || !(queue.offer(line) || queue.offer(line, WAIT_MILLIS, TimeUnit.MILLISECONDS))) {
                lost.run();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            lost.run();
        }
    }

    private void write() {
        while (true) {
            try {
                var line = queue.poll(100, TimeUnit.MILLISECONDS);
                if (line != null) {
                    append(line);
                } else if (closing) {
                    return;
                }
            } catch (InterruptedException _) {
                closing = true;
            } catch (IOException | RuntimeException e) {
                LOG.error("the audit log {} could not be written: {}", path, e.getMessage());
                lost.run();
            }
        }
    }

    private void append(String line) throws IOException {
        var bytes = ByteBuffer.wrap(line.getBytes(UTF_8));
        if (channel.size() > 0 && channel.size() + bytes.remaining() > options.bytesMax()) {
            rotate();
        }
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private void rotate() throws IOException {
        channel.close();
        for (int i = options.kept() - 1; i >= 1; i--) {
            move(numbered(i), numbered(i + 1));
        }
        if (options.kept() > 0) {
            move(path, numbered(1));
        } else {
            Files.delete(path);
        }
        channel = channel(path);
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException _) {
            // Not that many yet.
        }
    }

    private Path numbered(int number) {
        return path.resolveSibling(path.getFileName() + "." + number);
    }

    private static FileChannel channel(Path path) throws IOException {
        return FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND, NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    /// Writes what is queued, for a few seconds at most.
    @Override
    public void close() {
        closing = true;
        try {
            writer.join(CLOSE_SECONDS * 1_000L);
            channel.close();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.warn("the audit log {} could not be closed: {}", path, e.getMessage());
        }
    }
}
