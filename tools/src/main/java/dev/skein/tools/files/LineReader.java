package dev.skein.tools.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import org.jspecify.annotations.Nullable;

/// The lines of a text file, one at a time, in bounded memory: of a very long line only the beginning is kept. Bytes
/// that are no UTF-8 become replacement characters. For one thread.
public final class LineReader implements AutoCloseable {

    /// How much of a file is looked at to tell a text from something else.
    private static final int PROBE = 8192;

    private final Reader reader;
    private final boolean binary;
    private final int lineMax;
    private boolean cut;

    /// Reads from the channel and closes it in the end.
    public LineReader(SeekableByteChannel channel, int lineMax) throws IOException {
        var bytes = new BufferedInputStream(Channels.newInputStream(channel), PROBE);
        bytes.mark(PROBE);
        this.binary = hasNul(bytes.readNBytes(PROBE));
        bytes.reset();
        this.reader = new BufferedReader(new InputStreamReader(bytes, UTF_8));
        this.lineMax = lineMax;
    }

    /// Whether this looks like no text.
    public boolean binary() {
        return binary;
    }

    /// Whether only the beginning of the last line was kept.
    public boolean cut() {
        return cut;
    }

    /// The next line without its end, or null.
    public @Nullable String next() throws IOException {
        var line = new StringBuilder();
        cut = false;
        int c = reader.read();
        if (c < 0) {
            return null;
        }
        for (; c >= 0 && c != '\n'; c = reader.read()) {
            if (line.length() < lineMax) {
                line.append((char) c);
            } else {
                cut = true;
            }
        }
        if (!cut && !line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
            line.setLength(line.length() - 1);
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    private static boolean hasNul(byte[] bytes) {
        for (var b : bytes) {
            if (b == 0) {
                return true;
            }
        }
        return false;
    }
}
