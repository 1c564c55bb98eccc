package dev.skein.tools.rag.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChunkerTest {

    private static final Chunking SHORT = new Chunking(40, 8);

    private static String words(String word, int count) {
        return IntStream.range(0, count).mapToObj(i -> word + i).collect(Collectors.joining(" "));
    }

    private static List<Chunk> chunks(Block... blocks) {
        return Chunker.chunks(List.of(blocks), SHORT);
    }

    @Test
    void a_section_is_a_chunk_that_knows_its_headings_and_lines() {
        var chunks = chunks(
                Block.heading(1, "Guide", Span.lines(1, 1)),
                Block.heading(2, "Setup", Span.lines(3, 3)),
                Block.text(words("a", 20), Span.lines(5, 6)),
                Block.heading(2, "Use", Span.lines(8, 8)),
                Block.text(words("b", 20), Span.lines(10, 11)));

        assertThat(chunks)
                .extracting(chunk -> chunk.place().orElse(""))
                .containsExactly("Guide > Setup, lines 1-6", "Guide > Use, lines 8-11");
        assertThat(chunks.getFirst().text()).startsWith("Guide\n\nSetup\n\na0 a1");
    }

    @Test
    void small_sections_share_a_chunk_and_what_is_above_them_both() {
        var chunks = chunks(
                Block.heading(1, "Guide", Span.lines(1, 1)),
                Block.heading(2, "Setup", Span.lines(3, 3)),
                Block.text("Few words.", Span.lines(5, 5)),
                Block.heading(2, "Use", Span.lines(8, 8)),
                Block.text("Few more.", Span.lines(10, 10)));

        assertThat(chunks).extracting(chunk -> chunk.place().orElse("")).containsExactly("Guide, lines 1-10");
    }

    @Test
    void a_text_that_had_to_be_cut_goes_on_with_the_end_of_the_chunk_before() {
        var chunks = chunks(Block.text(words("a", 30), Span.lines(1, 1)), Block.text(words("b", 30), Span.lines(3, 3)));

        assertThat(chunks).hasSize(2);
        assertThat(chunks.get(1).text()).startsWith("a22 a23").contains("b0 b1");
    }

    @Test
    void headings_alone_are_no_chunk_and_nothing_is_none() {
        assertThat(chunks(Block.heading(1, "Alone", Span.lines(1, 1)))).isEmpty();
        assertThat(chunks()).isEmpty();
        assertThat(chunks(Block.text("  \n ", Span.NOWHERE))).isEmpty();
    }

    @Test
    void no_chunk_is_too_long_and_no_word_is_lost_whatever_comes() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var blocks = new ArrayList<Block>();
            for (int i = 0; i < 30; i++) {
                var line = Span.lines(i + 1, i + 1);
                blocks.add(
                        random.nextInt(4) == 0
                                ? Block.heading(1 + random.nextInt(3), "h" + i, line)
                                : Block.text(text(random, i), line));
            }
            var chunks = Chunker.chunks(blocks, SHORT);
            var all = chunks.stream().map(Chunk::text).collect(Collectors.joining("\n"));
            var heard = List.of(all.split("\\s+"));

            assertThat(chunks).as("seed %d", seed).allSatisfy(chunk -> {
                assertThat(Words.count(chunk.text())).isLessThanOrEqualTo(SHORT.wordsMax() + 10);
                assertThat(chunk.text().length()).isLessThan(SHORT.charsMax() + 200);
            });
            for (var block : blocks) {
                if (!block.isHeading()) {
                    assertThat(heard)
                            .as("seed %d", seed)
                            .containsAll(List.of(block.text().strip().split("\\s+")));
                }
            }
        }
    }

    private static String text(Random random, int block) {
        var text = new StringBuilder();
        var count = 1 + random.nextInt(120);
        for (int i = 0; i < count; i++) {
            text.append('w').append(block).append('x').append(i);
            text.append(
                    switch (random.nextInt(12)) {
                        case 0 -> "\n";
                        case 1 -> ". ";
                        default -> " ";
                    });
        }
        return text.toString();
    }

    @Test
    void a_word_without_end_is_cut() {
        var chunks = chunks(Block.text("x".repeat(5_000), Span.lines(1, 1)));

        assertThat(chunks).hasSizeGreaterThan(5);
        assertThat(chunks).allMatch(chunk -> chunk.text().length() <= SHORT.charsMax());
    }
}
