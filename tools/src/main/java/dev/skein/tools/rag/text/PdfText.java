package dev.skein.tools.rag.text;

import dev.skein.cancellation.Cancellation;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;

/// The paragraphs of a PDF, page by page.
final class PdfText {

    private static final int PAGES_MAX = 5_000;

    private PdfText() {}

    static Reading read(byte[] bytes, Cancellation cancellation) {
        var refusal = PdfInspection.refusal(bytes);
        if (refusal.isPresent()) {
            return new Reading.Refused(refusal.get());
        }
        try (var document = Loader.loadPDF(bytes)) {
            if (document.getNumberOfPages() > PAGES_MAX) {
                return new Reading.Refused("it has more than " + PAGES_MAX + " pages");
            }
            var blocks = pages(document, cancellation);
            return blocks.isEmpty()
                    ? new Reading.Refused("it has no text; pictures of pages are not read")
                    : new Reading.Text(blocks);
        } catch (TooLong _) {
            return new Reading.Refused("it has more than " + TextReader.CHARS_MAX + " characters of text");
        } catch (IOException | IllegalArgumentException | ClassCastException | IndexOutOfBoundsException e) {
            return new Reading.Refused("it is a broken PDF: " + e.getMessage());
        }
    }

    private static List<Block> pages(PDDocument document, Cancellation cancellation) throws IOException {
        var stripper = new PDFTextStripper();
        stripper.setSortByPosition(true);
        stripper.setParagraphStart("\n");
        var blocks = new ArrayList<Block>();
        var room = new Room();
        for (int page = 1; page <= document.getNumberOfPages(); page++) {
            cancellation.check();
            stripper.setStartPage(page);
            stripper.setEndPage(page);
            room.text.setLength(0);
            stripper.writeText(document, room);
            var span = Span.page(page);
            PlainText.blocks(room.text.toString()).forEach(block -> blocks.add(Block.text(block.text(), span)));
        }
        return blocks;
    }

    private static final class TooLong extends IOException {}

    /// Takes as much text as a document may have.
    private static final class Room extends Writer {

        final StringBuilder text = new StringBuilder();
        private long written;

        @Override
        public void write(char[] chars, int offset, int length) throws IOException {
            written += length;
            if (written > TextReader.CHARS_MAX) {
                throw new TooLong();
            }
            text.append(chars, offset, length);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
