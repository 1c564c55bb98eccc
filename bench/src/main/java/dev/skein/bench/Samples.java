package dev.skein.bench;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Figures taken one after the other. The middle one counts: a busy machine spoils the mean and the extremes.
final class Samples {

    private final long[] values;
    private int count;

    private Samples(int size) {
        this.values = new long[size];
    }

    /// What is measured once: does something and returns what it cost.
    interface Probe {
        long measure() throws IOException;
    }

    /// What is timed.
    interface Work {
        void run() throws IOException;
    }

    /// A probe that tells how many nanoseconds the work took.
    static Probe timed(Work work) {
        return () -> {
            var start = System.nanoTime();
            work.run();
            return System.nanoTime() - start;
        };
    }

    /// Asks every probe in every round, so that what disturbs the machine disturbs all alike. The order turns, so that
    /// none is always the one after the slowest. The first `warmUp` rounds do not count.
    static List<Samples> interleaved(int warmUp, int rounds, List<Probe> probes) throws IOException {
        var samples = IntStream.range(0, probes.size())
                .mapToObj(_ -> new Samples(rounds))
                .toList();
        for (int round = -warmUp; round < rounds; round++) {
            for (int i = 0; i < probes.size(); i++) {
                var turn = Math.floorMod(round + i, probes.size());
                var cost = probes.get(turn).measure();
                if (round >= 0) {
                    samples.get(turn).add(cost);
                }
            }
        }
        return samples;
    }

    double median() {
        var sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        var middle = count / 2;
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2.0;
    }

    private void add(long value) {
        values[count++] = value;
    }
}
