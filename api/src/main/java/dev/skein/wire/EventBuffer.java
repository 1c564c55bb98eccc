package dev.skein.wire;

import dev.skein.session.SessionEvent;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.Checksum;
import tools.jackson.core.JsonGenerator;

/// Bytes that grow, into which many events are written one after the other. Sets up what writing JSON takes once
/// instead of once for each event. For use by one thread.
public final class EventBuffer extends ByteArrayOutputStream {

    private static final int SIZE = 4096;

    private final JsonGenerator generator = EventCodec.WRITER.createGenerator((OutputStream) this);
    private final TurnWriter turns = new TurnWriter(generator);

    public EventBuffer() {
        super(SIZE);
    }

    /// Adds a comma and the fields of the event, as [EventCodec#encode] gives them without the braces.
    public void writeFields(SessionEvent event) {
        var brace = count;
        if (turns.write(event)) {
            generator.flush();
        } else {
            writeBytes(EventCodec.encode(event, null));
        }
        buf[brace] = ',';
        count--;
    }

    /// Lets a checksum see everything from `from` on.
    public void check(Checksum checksum, int from) {
        checksum.update(buf, from, count - from);
    }

    /// All that was written, without a copy: valid until more is.
    public ByteBuffer bytes() {
        return ByteBuffer.wrap(buf, 0, count);
    }

    /// Gives the generator's own buffers back. What was written stays.
    @Override
    public void close() {
        generator.close();
    }
}
