package dev.skein.tools.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;

/// The beginning and the end of a stream of bytes, however long it is. Safe for use by many threads.
public final class HeadAndTail {

    private final byte[] head;
    private final byte[] tail;
    private long total;

    /// Keeps at most so many bytes, half of them from each end.
    public HeadAndTail(int max) {
        this.head = new byte[max / 2];
        this.tail = new byte[max - max / 2];
    }

    /// Reads all there is.
    public void drain(InputStream from) {
        var buffer = new byte[8192];
        try (from) {
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                add(buffer, count);
            }
        } catch (IOException _) {
            // The program is gone or was killed: there is no more.
        }
    }

    synchronized void add(byte[] bytes, int count) {
        int taken = (int) Math.min(count, Math.max(0, head.length - total));
        System.arraycopy(bytes, 0, head, (int) Math.min(total, head.length), taken);
        for (int i = Math.max(taken, count - tail.length); i < count; i++) {
            tail[(int) ((total + i - head.length) % tail.length)] = bytes[i];
        }
        total += count;
    }

    /// What was kept, with a note where something is missing.
    public synchronized String text() {
        if (total <= head.length) {
            return new String(head, 0, (int) total, UTF_8);
        }
        long after = total - head.length;
        if (after <= tail.length) {
            var whole = new byte[(int) total];
            System.arraycopy(head, 0, whole, 0, head.length);
            System.arraycopy(tail, 0, whole, head.length, (int) after);
            return new String(whole, UTF_8);
        }
        int start = (int) (after % tail.length);
        var end = new byte[tail.length];
        System.arraycopy(tail, start, end, 0, tail.length - start);
        System.arraycopy(tail, 0, end, tail.length - start, start);
        return new String(head, UTF_8) + "\n[" + (after - tail.length) + " bytes left out]\n" + new String(end, UTF_8);
    }
}
