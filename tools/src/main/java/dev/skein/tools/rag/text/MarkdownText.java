package dev.skein.tools.rag.text;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/// The blocks of a Markdown text, as they are written.
final class MarkdownText {

    /// Only the outermost blocks count, so what is nested deeper may as well be text.
    private static final int NESTING_MAX = 20;

    private MarkdownText() {}

    static List<Block> blocks(String text) {
        // What is inside a block stays as it is written.
        var parser = Parser.builder()
                .includeSourceSpans(IncludeSourceSpans.BLOCKS)
                .maxOpenBlockParsers(NESTING_MAX)
                .inlineParserFactory(_ -> (_, _) -> {})
                .build();
        var lines = text.lines().toList();
        var blocks = new ArrayList<Block>();
        for (Node node = parser.parse(text).getFirstChild(); node != null; node = node.getNext()) {
            if (!node.getSourceSpans().isEmpty()) {
                blocks.add(block(node, lines));
            }
        }
        return blocks;
    }

    private static Block block(Node node, List<String> lines) {
        int first = node.getSourceSpans().getFirst().getLineIndex();
        int last = Math.min(node.getSourceSpans().getLast().getLineIndex(), lines.size() - 1);
        var span = Span.lines(first + 1, last + 1);
        var text = String.join("\n", lines.subList(first, last + 1));
        return node instanceof Heading heading
                ? Block.heading(heading.getLevel(), title(text), span)
                : Block.text(text, span);
    }

    /// Without the signs that make it a heading.
    private static String title(String text) {
        return text.strip()
                .replaceFirst("^#{1,6}\\s*", "")
                .replaceFirst("\\s+#+$", "")
                .replaceFirst("\\n[=-]+\\s*$", "");
    }
}
