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

    public EventBuffer() {
        super(SIZE);
    }

    /// Adds the event as [EventCodec#encode] would, but without the braces around it.
    public void writeFields(SessionEvent event) {
        if (event instanceof SessionEvent.Opaque) {
            var json = EventCodec.encode(event, null);
            write(json, 1, json.length - 2);
            return;
        }
        writeBytes(EventCodec.typeField(event));
        var brace = count;
        EventCodec.WRITER.writeValue(generator, event);
        generator.flush();
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
