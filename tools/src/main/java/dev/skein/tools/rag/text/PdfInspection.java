package dev.skein.tools.rag.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.filter.FilterFactory;

/// Looks at a PDF before it is loaded: the library unpacks streams in memory, however large they become, so each is
/// unpacked here first, as far as is allowed.
///
/// The dictionary of a stream is always in clear, and so are the names of its filters, unless somebody hides them.
final class PdfInspection {

    private static final int UNPACKED_MAX = 100_000_000;
    private static final int STREAMS_MAX = 200_000;
    private static final int DICTIONARY_MAX = 4_000;
    private static final Pattern STREAM = Pattern.compile("stream\r?\n");
    private static final Pattern FILTERS =
            Pattern.compile("/Filter\\s*(?:\\[(?<several>[^\\]]{0,400})\\]|(?<one>/[A-Za-z0-9#]{1,40}))");
    private static final Pattern HIDDEN = Pattern.compile("/Filter\\s+\\d+\\s+\\d+\\s+R|/[A-Za-z]*#[0-9A-Fa-f]{2}");
    private static final Pattern NAME = Pattern.compile("/([A-Za-z0-9]+)");

    /// The filters that make things larger, with the short names they have too.
    private static final Map<String, COSName> UNPACKING = Map.of(
            "FlateDecode", COSName.FLATE_DECODE,
            "Fl", COSName.FLATE_DECODE,
            "LZWDecode", COSName.LZW_DECODE,
            "LZW", COSName.LZW_DECODE,
            "RunLengthDecode", COSName.RUN_LENGTH_DECODE,
            "RL", COSName.RUN_LENGTH_DECODE,
            "ASCII85Decode", COSName.ASCII85_DECODE,
            "A85", COSName.ASCII85_DECODE,
            "ASCIIHexDecode", COSName.ASCII_HEX_DECODE,
            "AHx", COSName.ASCII_HEX_DECODE);

    private PdfInspection() {}

    /// Why the PDF is not to be loaded; empty if it may be.
    static Optional<String> refusal(byte[] bytes) {
        var text = new String(bytes, ISO_8859_1);
        if (text.contains("/Encrypt")) {
            return Optional.of("it is encrypted");
        }
        var streams = STREAM.matcher(text);
        int count = 0;
        while (streams.find()) {
            if (text.startsWith("end", Math.max(0, streams.start() - 3))) {
                continue;
            }
            if (++count > STREAMS_MAX) {
                return Optional.of("it has more than " + STREAMS_MAX + " streams");
            }
            var before = text.substring(Math.max(0, streams.start() - DICTIONARY_MAX), streams.start());
            var dictionary = before.substring(Math.max(0, before.lastIndexOf(" obj")));
            if (HIDDEN.matcher(dictionary).find()) {
                return Optional.of("it hides how its streams are packed");
            }
            var end = text.indexOf("endstream", streams.end());
            if (isTooLarge(bytes, streams.end(), end < 0 ? bytes.length : end, filters(dictionary))) {
                return Optional.of("a stream in it has more than " + UNPACKED_MAX / 1_000_000 + " MB when unpacked");
            }
        }
        return Optional.empty();
    }

    private static List<COSName> filters(String dictionary) {
        var found = FILTERS.matcher(dictionary);
        var filters = new ArrayList<COSName>();
        if (found.find()) {
            var names = NAME.matcher(found.group("one") == null ? found.group("several") : found.group("one"));
            while (names.find()) {
                var filter = UNPACKING.get(names.group(1));
                if (filter == null) {
                    break;
                }
                filters.add(filter);
            }
        }
        return filters;
    }

    private static boolean isTooLarge(byte[] bytes, int from, int to, List<COSName> filters) {
        var packed = new ByteArrayInputStream(bytes, from, to - from);
        for (int i = 0; i < filters.size(); i++) {
            var unpacked = new Room(i < filters.size() - 1);
            try {
                FilterFactory.INSTANCE.getFilter(filters.get(i)).decode(packed, unpacked, new COSDictionary(), 0);
            } catch (IOException | RuntimeException _) {
                // What else is wrong with the stream is the library's business.
                return unpacked.isFull;
            }
            if (unpacked.isFull) {
                return true;
            }
            packed = new ByteArrayInputStream(unpacked.bytes.toByteArray());
        }
        return false;
    }

    /// Counts what is written, and keeps it if it is needed.
    private static final class Room extends OutputStream {

        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final boolean kept;
        private long written;
        private boolean isFull;

        Room(boolean kept) {
            this.kept = kept;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] b, int offset, int length) throws IOException {
            written += length;
            isFull |= written > UNPACKED_MAX;
            if (isFull) {
                throw new IOException("too much");
            }
            if (kept) {
                bytes.write(b, offset, length);
            }
        }
    }
}
