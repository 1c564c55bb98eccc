package dev.skein.tools.rag.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.junit.jupiter.api.Test;

/// Documents of every kind, also those that mean harm.
class TextReaderTest {

    private static Reading read(String name, byte[] bytes) {
        return TextReader.read(new TextReader.Raw(name, null, bytes), new Cancellation());
    }

    private static List<Block> blocks(String name, byte[] bytes) {
        return ((Reading.Text) read(name, bytes)).blocks();
    }

    private static String refusal(String name, byte[] bytes) {
        return ((Reading.Refused) read(name, bytes)).reason();
    }

    @Test
    void markdown_keeps_its_headings_lists_and_code_with_their_lines() {
        var text = "# One\n\nWords\nand more.\n\n## Two ##\n\n- a\n- b\n\n```java\n# no heading\n```\n\nThree\n=====\n";

        assertThat(blocks("a.md", text.getBytes(UTF_8)))
                .containsExactly(
                        Block.heading(1, "One", Span.lines(1, 1)),
                        Block.text("Words\nand more.", Span.lines(3, 4)),
                        Block.heading(2, "Two", Span.lines(6, 6)),
                        Block.text("- a\n- b", Span.lines(8, 9)),
                        Block.text("```java\n# no heading\n```", Span.lines(11, 13)),
                        Block.heading(1, "Three", Span.lines(15, 16)));
    }

    @Test
    void a_page_loses_its_scripts_and_keeps_its_headings() {
        var html = "<html><head><title>T</title><script>evil()</script></head>"
                + "<body><nav>menu</nav><h2>Part</h2><p>Words <b>here</b>.</p></body></html>";

        assertThat(blocks("a.html", html.getBytes(UTF_8)))
                .containsExactly(
                        Block.heading(1, "T", Span.NOWHERE),
                        Block.heading(2, "Part", Span.NOWHERE),
                        Block.text("Words here.", Span.NOWHERE));
    }

    @Test
    void programs_and_plain_texts_are_cut_at_blank_lines() {
        assertThat(blocks("a.java", "class A {\n}\n\n\nclass B {}\n".getBytes(UTF_8)))
                .containsExactly(
                        Block.text("class A {\n}", Span.lines(1, 2)), Block.text("class B {}", Span.lines(5, 5)));
        assertThat(blocks("a.txt", "é".getBytes(UTF_16))).containsExactly(Block.text("é", Span.lines(1, 1)));
        assertThat(blocks("a.txt", new byte[0])).isEmpty();
    }

    @Test
    void a_pdf_is_read_page_by_page() throws IOException {
        assertThat(blocks("a.pdf", pdf("The first page.", "The second page.")))
                .containsExactly(
                        Block.text("The first page.", Span.page(1)), Block.text("The second page.", Span.page(2)));
    }

    @Test
    void a_pdf_without_words_a_broken_one_and_an_encrypted_one_are_refused() throws IOException {
        assertThat(refusal("a.pdf", pdf(""))).contains("no text");
        assertThat(refusal("a.pdf", "%PDF-1.7\nnothing".getBytes(ISO_8859_1))).contains("broken PDF");
        var cut = pdf("Words.");
        assertThat(read("a.pdf", Arrays.copyOf(cut, cut.length / 2))).isInstanceOf(Reading.Refused.class);
        try (var document = new PDDocument();
                var out = new ByteArrayOutputStream()) {
            document.addPage(new PDPage());
            document.protect(new StandardProtectionPolicy("owner", "user", new AccessPermission()));
            document.save(out);
            assertThat(refusal("a.pdf", out.toByteArray())).contains("encrypted");
        }
    }

    @Test
    void a_pdf_that_unpacks_to_too_much_is_refused_before_it_is_loaded() throws IOException {
        var zeros = deflated(150_000_000);

        assertThat(refusal("a.pdf", withStream("/Filter /FlateDecode", zeros))).contains("100 MB");
        assertThat(refusal("a.pdf", withStream("/Filter [/FlateDecode /FlateDecode]", deflated(zeros))))
                .contains("100 MB");
        assertThat(refusal("a.pdf", withStream("/Filter 9 0 R", zeros))).contains("hides");
        assertThat(refusal("a.pdf", withStream("/Filter /Fl#61teDecode", zeros)))
                .contains("hides");
    }

    @Test
    void nesting_without_end_does_no_harm() {
        var html = "<div>".repeat(200_000) + "deep words";
        var quotes = ">".repeat(100_000) + " deep words\n";
        var brackets = "[".repeat(100_000) + "words";

        assertThat(blocks("a.html", html.getBytes(UTF_8)))
                .anyMatch(block -> block.text().contains("deep words"));
        assertThat(blocks("a.md", quotes.getBytes(UTF_8)))
                .anyMatch(block -> block.text().contains("deep words"));
        assertThat(blocks("a.md", brackets.getBytes(UTF_8))).hasSize(1);
    }

    @Test
    void what_is_no_text_or_too_large_is_refused() {
        assertThat(refusal("a.txt", new byte[] {'a', 0, 'b'})).contains("not a text");
        assertThat(refusal("a.html", new byte[] {'<', 0, 'b'})).contains("not a text");
        assertThat(refusal("a.txt", new byte[] {'a', (byte) 0xE9})).contains("not a text");
        assertThat(refusal("a.txt", new byte[TextReader.BYTES_MAX + 1])).contains("25 MB");
        assertThat(refusal("a.txt", "a".repeat(TextReader.CHARS_MAX + 1).getBytes(UTF_8)))
                .contains("characters");
        assertThat(TextReader.read(
                        new TextReader.Raw("http://a/b", "image/png", new byte[] {1, 2}), new Cancellation()))
                .isEqualTo(new Reading.Refused("it is of type 'image/png', not a text"));
    }

    private static byte[] pdf(String... pages) throws IOException {
        try (var document = new PDDocument();
                var out = new ByteArrayOutputStream()) {
            for (var text : pages) {
                var page = new PDPage();
                document.addPage(page);
                try (var content = new PDPageContentStream(document, page)) {
                    content.beginText();
                    content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
                    content.newLineAtOffset(72, 700);
                    content.showText(text);
                    content.endText();
                }
            }
            document.save(out);
            return out.toByteArray();
        }
    }

    private static byte[] deflated(int zeros) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var deflater = new DeflaterOutputStream(out)) {
            var piece = new byte[1_000_000];
            for (int written = 0; written < zeros; written += piece.length) {
                deflater.write(piece);
            }
        }
        return out.toByteArray();
    }

    private static byte[] deflated(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var deflater = new DeflaterOutputStream(out)) {
            deflater.write(bytes);
        }
        return out.toByteArray();
    }

    private static byte[] withStream(String filter, byte[] packed) throws IOException {
        var out = new ByteArrayOutputStream();
        out.write(("%PDF-1.7\n1 0 obj\n<< /Length " + packed.length + " " + filter + " >>\nstream\n")
                .getBytes(ISO_8859_1));
        out.write(packed);
        out.write("\nendstream\nendobj\n%%EOF\n".getBytes(ISO_8859_1));
        return out.toByteArray();
    }
}
