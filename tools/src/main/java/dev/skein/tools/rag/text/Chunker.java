package dev.skein.tools.rag.text;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Cuts a document into chunks along its structure: at headings, else between paragraphs, else between lines, sentences
/// or words. Where only the length made it cut, the next chunk repeats the end of the one before. Used once.
public final class Chunker {

    private static final int HEADING_CHARS_MAX = 120;

    private final Chunking chunking;
    private final List<Chunk> chunks = new ArrayList<>();
    private final TreeMap<Integer, String> headings = new TreeMap<>();
    private final StringBuilder text = new StringBuilder();
    private int words;
    private boolean saysMore;
    private List<String> above = List.of();
    private @Nullable Span span;

    private Chunker(Chunking chunking) {
        this.chunking = chunking;
    }

    public static List<Chunk> chunks(List<Block> blocks, Chunking chunking) {
        var chunker = new Chunker(chunking);
        for (var block : blocks) {
            if (block.isHeading()) {
                chunker.heading(block);
            } else {
                chunker.paragraph(block);
            }
        }
        chunker.end();
        return chunker.chunks;
    }

    private void heading(Block block) {
        if (words >= chunking.wordsMin()) {
            end();
        }
        headings.tailMap(block.level(), true).clear();
        headings.put(block.level(), shortened(block.text()));
        var path = List.copyOf(headings.values());
        above = saysMore ? common(above, path) : path;
        add(shortened(block.text()), block.span(), "\n\n");
    }

    private static List<String> common(List<String> one, List<String> other) {
        int same = 0;
        while (same < Math.min(one.size(), other.size()) && one.get(same).equals(other.get(same))) {
            same++;
        }
        return one.subList(0, same);
    }

    private static String shortened(String text) {
        var line = text.strip().lines().map(String::strip).collect(Collectors.joining(" "));
        return line.length() <= HEADING_CHARS_MAX ? line : line.substring(0, HEADING_CHARS_MAX);
    }

    private void paragraph(Block block) {
        if (block.text().isBlank()) {
            return;
        }
        if (Words.fits(block.text(), chunking)) {
            put(block.text().stripTrailing(), block.span(), "\n\n");
            return;
        }
        var lines = block.text().lines().toList();
        var gap = "\n\n";
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i);
            var where = block.span().unit() == Span.Unit.LINE
                    ? Span.lines(
                            Math.min(block.span().first() + i, block.span().last()),
                            Math.min(block.span().first() + i, block.span().last()))
                    : block.span();
            if (Words.fits(line, chunking)) {
                put(line, where, gap);
            } else {
                for (var piece : Words.pieces(line, chunking)) {
                    put(piece, where, gap);
                    gap = " ";
                }
            }
            gap = "\n";
        }
    }

    /// Adds what fits a chunk of its own; if need be, it gets one.
    private void put(String piece, Span where, String gap) {
        if (saysMore
                && (words + Words.count(piece) > chunking.wordsMax()
                        || text.length() + piece.length() > chunking.charsMax())) {
            var repeated = Words.tail(text.toString(), chunking.overlap());
            var from = span;
            end();
            if (Words.count(repeated) + Words.count(piece) <= chunking.wordsMax()
                    && repeated.length() + piece.length() < chunking.charsMax()
                    && from != null) {
                var end = from.unit() == Span.Unit.LINE ? Span.lines(from.last(), from.last()) : from;
                add(repeated, end, "");
            }
        }
        add(piece, where, gap);
        saysMore |= !piece.isBlank();
    }

    private void add(String piece, Span where, String gap) {
        if (!text.isEmpty()) {
            text.append(gap);
        }
        text.append(piece);
        words += Words.count(piece);
        span = span == null ? where : span.to(where);
    }

    /// A chunk of nothing but headings is none.
    private void end() {
        if (saysMore && span != null && !text.toString().isBlank()) {
            chunks.add(
                    new Chunk(String.join(" > ", above), span, text.toString().strip()));
        }
        text.setLength(0);
        words = 0;
        saysMore = false;
        span = null;
        above = List.copyOf(headings.values());
    }
}
