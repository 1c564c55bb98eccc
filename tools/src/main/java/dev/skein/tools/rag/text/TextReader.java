package dev.skein.tools.rag.text;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.cancellation.Cancellation;
import dev.skein.redaction.Redaction;
import dev.skein.tools.web.WebPage;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads documents: PDF, HTML, Markdown, and everything else that is text. What looks like a key or a password is
/// replaced before anybody sees it.
public final class TextReader {

    /// A larger document is not read.
    public static final int BYTES_MAX = 25_000_000;

    static final int CHARS_MAX = 10_000_000;

    private static final Pattern MARKDOWN = Pattern.compile(".*\\.(md|markdown|mdx|mdown)");
    private static final Pattern HTML = Pattern.compile(".*\\.(html?|xhtml)");
    private static final Pattern PRIVATE_KEY = Pattern.compile("-----BEGIN [A-Z ]*PRIVATE KEY");
    private static final int SAMPLE = 8192;

    private TextReader() {}

    /// A document as it came.
    ///
    /// @param name its path or URL
    /// @param contentType what a server said it is; null for a file
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Raw(String name, @Nullable String contentType, byte[] bytes) {

        boolean startsWith(String ascii) {
            return bytes.length >= ascii.length() && new String(bytes, 0, ascii.length(), UTF_8).equals(ascii);
        }
    }

    public static Reading read(Raw raw, Cancellation cancellation) {
        if (raw.bytes().length > BYTES_MAX) {
            return new Reading.Refused("it has more than " + BYTES_MAX / 1_000_000 + " MB");
        }
        try {
            return clean(blocks(raw, cancellation));
        } catch (StackOverflowError _) {
            return new Reading.Refused("it is nested too deep");
        }
    }

    private static Reading blocks(Raw raw, Cancellation cancellation) {
        if (raw.startsWith("%PDF-")) {
            return PdfText.read(raw.bytes(), cancellation);
        }
        var name = raw.name().toLowerCase(Locale.ROOT);
        if (raw.contentType() != null) {
            return page(raw, raw.contentType());
        }
        if (HTML.matcher(name).matches()) {
            return isBinary(raw.bytes()) ? noText() : page(raw, "text/html");
        }
        var text = decoded(raw.bytes());
        if (text.isEmpty()) {
            return noText();
        }
        if (PRIVATE_KEY
                .matcher(text.get().substring(0, Math.min(SAMPLE, text.get().length())))
                .find()) {
            return new Reading.Refused("it holds a private key");
        }
        return new Reading.Text(
                MARKDOWN.matcher(name).matches() ? MarkdownText.blocks(text.get()) : PlainText.blocks(text.get()));
    }

    /// HTML comes as Markdown, whose lines are not those of the page.
    private static Reading page(Raw raw, String contentType) {
        var page = new WebPage(address(raw.name()), contentType, raw.bytes());
        var text = page.text();
        if (text.isEmpty()) {
            return new Reading.Refused("it is of type '" + contentType + "', not a text");
        }
        if (page.isHtml()) {
            return new Reading.Text(MarkdownText.blocks(text.get()).stream()
                    .map(block -> new Block(block.level(), block.text(), Span.NOWHERE))
                    .toList());
        }
        var markdown = contentType.contains("markdown")
                || MARKDOWN.matcher(raw.name().toLowerCase(Locale.ROOT)).matches();
        return new Reading.Text(markdown ? MarkdownText.blocks(text.get()) : PlainText.blocks(text.get()));
    }

    private static URI address(String name) {
        return name.matches("(?i)https?://.+") ? URI.create(name) : URI.create("file:///page");
    }

    private static Reading noText() {
        return new Reading.Refused("it is not a text");
    }

    private static boolean isBinary(byte[] bytes) {
        for (int i = 0; i < Math.min(bytes.length, SAMPLE); i++) {
            if (bytes[i] == 0) {
                return true;
            }
        }
        return false;
    }

    /// Empty if it is binary, or in an encoding that cannot be told.
    private static Optional<String> decoded(byte[] bytes) {
        if (bytes.length >= 2 && bytes[0] == (byte) 0xFE && bytes[1] == (byte) 0xFF) {
            return strictly(bytes, UTF_16BE);
        }
        if (bytes.length >= 2 && bytes[0] == (byte) 0xFF && bytes[1] == (byte) 0xFE) {
            return strictly(bytes, UTF_16LE);
        }
        return isBinary(bytes) ? Optional.empty() : strictly(bytes, UTF_8);
    }

    private static Optional<String> strictly(byte[] bytes, Charset charset) {
        try {
            var text = charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return Optional.of(text.startsWith("\uFEFF") ? text.substring(1) : text);
        } catch (CharacterCodingException _) {
            return Optional.empty();
        }
    }

    private static Reading clean(Reading reading) {
        return switch (reading) {
            case Reading.Refused refused -> refused;
            case Reading.Text(var blocks) -> {
                var length = blocks.stream()
                        .mapToLong(block -> block.text().length())
                        .sum();
                yield length > CHARS_MAX
                        ? new Reading.Refused("it has more than " + CHARS_MAX + " characters of text")
                        : new Reading.Text(redacted(blocks));
            }
        };
    }

    private static List<Block> redacted(List<Block> blocks) {
        return blocks.stream()
                .map(block -> new Block(block.level(), Redaction.SHAPES.redact(block.text()), block.span()))
                .toList();
    }
}
