package dev.skein.tools.mcp.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// Reads lines that end with a line feed, none longer than it may be. For one thread.
public final class BoundedLines {

    private static final int BUFFER = 16 * 1024;

    private final InputStream in;
    private final int max;
    private final byte[] buffer = new byte[BUFFER];
    private ByteArrayOutputStream line = new ByteArrayOutputStream();
    private int start;
    private int end;

    public BoundedLines(InputStream in, int max) {
        this.in = in;
        this.max = max;
    }

    /// A line was longer than that.
    public static final class TooLong extends IOException {
        TooLong(int max) {
            super("a line is longer than " + max + " bytes");
        }
    }

    /// The next line without its end; null if there is none. What has no end at the end of the stream is no line.
    public byte @Nullable [] next() throws IOException {
        while (true) {
            for (int i = start; i < end; i++) {
                if (buffer[i] == '\n') {
                    return taken(i);
                }
            }
            keep(end);
            start = 0;
            end = Math.max(0, in.read(buffer));
            if (end == 0) {
                return null;
            }
        }
    }

    private byte[] taken(int until) throws IOException {
        keep(until);
        start = until + 1;
        var all = line.toByteArray();
        // A long line leaves no large buffer behind.
        line = new ByteArrayOutputStream();
        var length = all.length > 0 && all[all.length - 1] == '\r' ? all.length - 1 : all.length;
        return length == all.length ? all : java.util.Arrays.copyOf(all, length);
    }

    private void keep(int until) throws IOException {
        if (line.size() + until - start > max) {
            throw new TooLong(max);
        }
        line.write(buffer, start, until - start);
    }
}
