package dev.skein.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/// Disks with a defect, each of which makes the store above it behave as if it had that defect itself. A check that
/// does not notice them is worth nothing.
final class PlantedDefects {

    private static final String CRC = ",\"crc\":\"";
    private static final int SUFFIX = CRC.length() + 10;

    private PlantedDefects() {}

    /// As if appends were acknowledged before they are synced.
    static Disk withoutSync(Disk disk) {
        return new ForwardingDisk(disk) {
            @Override
            public DiskFile open(Path path, Access access) throws IOException {
                return new ForwardingFile(super.open(path, access)) {
                    @Override
                    public void sync() {
                        // That is the defect.
                    }
                };
            }
        };
    }

    /// As if new names were never made durable.
    static Disk withoutDirectorySync(Disk disk) {
        return new ForwardingDisk(disk) {
            @Override
            public void syncDirectory(Path directory) {
                // That is the defect.
            }
        };
    }

    /// As if a torn tail were appended to.
    static Disk withoutTruncation(Disk disk) {
        return new ForwardingDisk(disk) {
            @Override
            public DiskFile open(Path path, Access access) throws IOException {
                return new ForwardingFile(super.open(path, access)) {
                    @Override
                    public void truncate(long size) {
                        // That is the defect.
                    }
                };
            }
        };
    }

    /// As if checksums were not compared: every line that ends in one is read with the one that fits.
    static Disk withoutChecksums(Disk disk) {
        return new ForwardingDisk(disk) {
            @Override
            public DiskFile open(Path path, Access access) throws IOException {
                var file = super.open(path, access);
                return path.endsWith("journal.jsonl") ? new Forgiving(file) : file;
            }
        };
    }

    private static final class Forgiving extends ForwardingDisk.ForwardingFile {

        Forgiving(Disk.DiskFile file) {
            super(file);
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            var whole = ByteBuffer.allocate(Math.toIntExact(size()));
            super.read(whole, 0);
            var count = (int) Math.max(0, Math.min(into.remaining(), size() - position));
            if (count > 0) {
                into.put(forgive(whole.array()), (int) position, count);
            }
            return count;
        }
    }

    /// The bytes, with a fitting checksum in every line that has one.
    static byte[] forgive(byte[] journal) {
        var forgiven = journal.clone();
        var start = 0;
        for (int i = 0; i < forgiven.length; i++) {
            if (forgiven[i] == '\n') {
                var suffix = i - SUFFIX;
                if (suffix > start && text(forgiven, suffix, CRC.length()).equals(CRC)) {
                    var checksum = new CRC32C();
                    checksum.update(forgiven, start, suffix - start);
                    var digits = HexFormat.of().toHexDigits((int) checksum.getValue());
                    var bytes = digits.getBytes(StandardCharsets.US_ASCII);
                    System.arraycopy(bytes, 0, forgiven, suffix + CRC.length(), bytes.length);
                }
                start = i + 1;
            }
        }
        return forgiven;
    }

    private static String text(byte[] bytes, int from, int length) {
        return new String(Arrays.copyOfRange(bytes, from, from + length), StandardCharsets.ISO_8859_1);
    }
}
