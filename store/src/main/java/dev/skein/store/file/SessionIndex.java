package dev.skein.store.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// `index.json`: what a listing says about each session, and at which size of its journal that was true.
///
/// A cache. Rows that do not fit the directory are made anew, and the file may be deleted at any time. Names are
/// kept with the modification time of the directory they were read from. Safe for use by many threads.
final class SessionIndex {

    private static final String HEAD = "{\"version\":2,\"names_modified\":";
    private static final String SESSIONS = ",\"sessions\":[";
    private static final String END = "\n]}";
    private static final Pattern FILE_NAME = Pattern.compile("[a-zA-Z0-9%~._-]+");
    private static final int HEAD_LENGTH = "{'crc':'01234567','index':".length();
    private static final int SIZE_MAX = 512 * 1024 * 1024;

    private final Disk disk;
    private final Layout layout;
    private final DurableNames names;
    private @Nullable Content content;
    private long readAt = -1;

    SessionIndex(Disk disk, Layout layout) {
        this.disk = disk;
        this.layout = layout;
        this.names = new DurableNames(disk);
    }

    /// The whole index, by the text of the ids. `namesModified` is 0 when the names must be read again.
    record Content(long namesModified, Map<String, IndexRow> sessions) {

        static final Content EMPTY = new Content(0, Map.of());
    }

    /// What is known, from memory or from the file.
    synchronized Content load() throws IOException {
        var stat = disk.stat(layout.index());
        if (content != null && (stat == null || stat.modifiedNanos() == readAt)) {
            return content;
        }
        var loaded = stat == null || stat.kind() != Disk.Kind.FILE ? Content.EMPTY : parse();
        content = loaded;
        readAt = stat == null ? -1 : stat.modifiedNanos();
        return loaded;
    }

    /// Takes over what a listing found, and writes it. That the file cannot be written hinders nobody.
    synchronized void save(Content changed) {
        content = changed;
        try {
            names.replace(layout.index(), seal(written(changed)));
            var stat = disk.stat(layout.index());
            readAt = stat == null ? -1 : stat.modifiedNanos();
        } catch (IOException _) {
            readAt = -1;
        }
    }

    private Content parse() throws IOException {
        var bytes = names.read(layout.index(), SIZE_MAX);
        if (bytes == null) {
            return Content.EMPTY;
        }
        try {
            var content = unseal(bytes);
            return content == null ? Content.EMPTY : read(new IndexRow.Bytes(content));
        } catch (IllegalArgumentException | DateTimeException _) {
            return Content.EMPTY;
        }
    }

    private static Content read(IndexRow.Bytes from) {
        var namesModified = from.skip(HEAD).number();
        from.skip(SESSIONS);
        var rows = new LinkedHashMap<String, IndexRow>();
        while (!from.isAt(END)) {
            var row = IndexRow.read(from.skip(rows.isEmpty() ? "\n" : ",\n"));
            rows.put(row.id(), row);
        }
        return new Content(namesModified, rows);
    }

    /// One session in each line.
    private static byte[] written(Content content) {
        var out = new ByteArrayOutputStream();
        var modified = areWritable(content.sessions().values()) ? content.namesModified() : 0;
        out.writeBytes((HEAD + modified + SESSIONS).getBytes(StandardCharsets.US_ASCII));
        var separator = "\n";
        for (var row : content.sessions().values()) {
            out.writeBytes(separator.getBytes(StandardCharsets.US_ASCII));
            (isWritable(row) ? row : row.named(null)).write(out);
            separator = ",\n";
        }
        out.writeBytes(END.getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }

    private static boolean areWritable(Collection<IndexRow> rows) {
        return rows.stream().allMatch(SessionIndex::isWritable);
    }

    /// Whoever puts a file of another name among ours makes the names be read each time.
    private static boolean isWritable(IndexRow row) {
        return row.name() == null || FILE_NAME.matcher(row.name()).matches();
    }

    /// `{"crc":"0123abcd","index":…}`: a flipped bit is never taken for a session's title.
    private static byte[] seal(byte[] content) {
        var out = new ByteArrayOutputStream(content.length + HEAD_LENGTH + 1);
        out.writeBytes(head(content, 0, content.length));
        out.writeBytes(content);
        out.write('}');
        return out.toByteArray();
    }

    private static byte @Nullable [] unseal(byte[] bytes) {
        var end = bytes.length - 1;
        return end > HEAD_LENGTH && Arrays.equals(head(bytes, HEAD_LENGTH, end), Arrays.copyOf(bytes, HEAD_LENGTH))
                ? Arrays.copyOfRange(bytes, HEAD_LENGTH, end)
                : null;
    }

    private static byte[] head(byte[] bytes, int from, int to) {
        var checksum = new CRC32C();
        checksum.update(bytes, from, to - from);
        var text = "{\"crc\":\"" + HexFormat.of().toHexDigits((int) checksum.getValue()) + "\",\"index\":";
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
