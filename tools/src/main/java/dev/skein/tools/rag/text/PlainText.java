package dev.skein.tools.rag.text;

import java.util.ArrayList;
import java.util.List;

/// Paragraphs of a text without markup, and of code: whatever has blank lines around it.
final class PlainText {

    private PlainText() {}

    static List<Block> blocks(String text) {
        var blocks = new ArrayList<Block>();
        var paragraph = new ArrayList<String>();
        var lines = text.lines().toList();
        for (int i = 0; i <= lines.size(); i++) {
            if (i < lines.size() && !lines.get(i).isBlank()) {
                paragraph.add(lines.get(i));
            } else if (!paragraph.isEmpty()) {
                blocks.add(Block.text(String.join("\n", paragraph), Span.lines(i - paragraph.size() + 1, i)));
                paragraph.clear();
            }
        }
        return blocks;
    }
}
