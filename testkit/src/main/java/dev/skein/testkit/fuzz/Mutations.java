package dev.skein.testkit.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/// Gives a target what it knows well, then the same with damage. It fails as the target fails, and says for which
/// input.
public final class Mutations {

    private static final long SEED = Long.getLong("skein.seed", 20261116L);
    private static final int DAMAGES_MAX = 6;
    private static final int[] REMARKABLE = {0, '\n', '\r', '"', '\\', '{', '[', ':', ',', '%', '/', '.', 0x7f, 0xff};

    private Mutations() {}

    /// So many inputs made of these.
    public static void of(List<String> corpus, int rounds, Consumer<byte[]> target) {
        var bytes = corpus.stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
        bytes.forEach(input -> feed(target, input));
        var random = new Random(SEED);
        for (int i = 0; i < rounds; i++) {
            feed(target, damaged(bytes, random));
        }
    }

    private static void feed(Consumer<byte[]> target, byte[] input) {
        try {
            target.accept(input.clone());
        } catch (RuntimeException | Error e) {
            throw new AssertionError(
                    "seed %d, input %s".formatted(SEED, HexFormat.of().formatHex(input)), e);
        }
    }

    private static byte[] damaged(List<byte[]> corpus, Random random) {
        var input = corpus.get(random.nextInt(corpus.size()));
        for (int left = 1 + random.nextInt(DAMAGES_MAX); left > 0; left--) {
            var at = random.nextInt(input.length + 1);
            input = switch (random.nextInt(5)) {
                case 0 -> replaced(input, at, Math.min(input.length, at + 1), random.nextInt(256));
                case 1 -> replaced(input, at, at, REMARKABLE[random.nextInt(REMARKABLE.length)]);
                case 2 -> Arrays.copyOf(input, at);
                case 3 -> joined(Arrays.copyOf(input, at), input, random.nextInt(input.length + 1));
                default -> {
                    var other = corpus.get(random.nextInt(corpus.size()));
                    yield joined(Arrays.copyOf(input, at), other, random.nextInt(other.length + 1));
                }
            };
        }
        return input;
    }

    private static byte[] replaced(byte[] input, int from, int to, int with) {
        return joined(joined(Arrays.copyOf(input, from), new byte[] {(byte) with}, 0), input, to);
    }

    private static byte[] joined(byte[] first, byte[] second, int from) {
        var all = Arrays.copyOf(first, first.length + second.length - from);
        System.arraycopy(second, from, all, first.length, second.length - from);
        return all;
    }
}
