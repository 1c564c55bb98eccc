package dev.skein.store.file;

import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import dev.skein.wire.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/// `state.yaml`: a session's state and the place in the journal it was computed at. Derived, small, readable;
/// believed only if the journal confirms it.
record StateFile(int format, Mark journal, SessionState state) {

    private static final int SIZE_MAX = 1024 * 1024;
    private static final String SEAL = "# crc ";
    private static final int SEAL_LENGTH = SEAL.length() + 8 + 1;

    private static final YAMLMapper YAML = Json.configure(YAMLMapper.builder(YAMLFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(Json.DEPTH_MAX)
                            .build())
                    .build()))
            .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
            .disable(YAMLWriteFeature.USE_NATIVE_TYPE_ID)
            .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
            .enable(YAMLWriteFeature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .build();

    /// The place in the journal, and the journal's modification time then (0 if it was not at rest).
    record Mark(long offset, long seq, String crc, long modified) {}

    static StateFile of(Snapshot snapshot, long modified) {
        var at = snapshot.position();
        return new StateFile(
                1, new Mark(at.offset(), at.seq(), HexFormat.of().toHexDigits(at.crc()), modified), snapshot.state());
    }

    /// What the file says, or null if it is missing, broken or another session's.
    static @Nullable StateFile read(DurableNames names, Path path, SessionId id) throws IOException {
        var bytes = names.read(path, SIZE_MAX);
        if (bytes == null) {
            return null;
        }
        if (!isAsWritten(bytes)) {
            return null;
        }
        try {
            var file = YAML.readValue(bytes, StateFile.class);
            var complete = file.journal() != null
                    && file.state() != null
                    && file.state().opened() != null
                    && file.state().lastActivityAt() != null
                    && file.state().version() == file.journal().seq();
            return complete && file.format() == 1 && id.equals(file.state().id()) ? file : null;
        } catch (JacksonException | IllegalArgumentException | NullPointerException | StackOverflowError _) {
            return null;
        }
    }

    void write(DurableNames names, Path path) throws IOException {
        var yaml = YAML.writeValueAsBytes(this);
        var out = new ByteArrayOutputStream(yaml.length + SEAL_LENGTH);
        out.writeBytes(yaml);
        out.writeBytes(seal(yaml, yaml.length));
        names.replace(path, out.toByteArray(), DurableNames.parent(DurableNames.parent(path)));
    }

    /// The last line is a comment that proves the others, so that a flipped bit or an edit is never taken for true.
    private static boolean isAsWritten(byte[] bytes) {
        var length = bytes.length - SEAL_LENGTH;
        return length > 0 && Arrays.equals(seal(bytes, length), Arrays.copyOfRange(bytes, length, bytes.length));
    }

    private static byte[] seal(byte[] bytes, int length) {
        var checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        var text = SEAL + HexFormat.of().toHexDigits((int) checksum.getValue()) + "\n";
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    Snapshot snapshot() {
        return new Snapshot(state, new Position(journal.offset(), journal.seq(), crc()), 0);
    }

    private int crc() {
        try {
            return (int) HexFormat.fromHexDigitsToLong(journal.crc());
        } catch (IllegalArgumentException _) {
            return -1;
        }
    }
}
