package dev.skein.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Several who do the same at the same time, for a while.
final class Crowd {

    private Crowd() {}

    /// What one of them does, again and again.
    interface Task {
        void run(int number) throws IOException;
    }

    /// How often they did it, all together, as if it had been an hour: whole numbers are kept.
    static long perHour(int size, Duration time, Task task) throws IOException {
        var barrier = new CyclicBarrier(size);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<Double>>();
            for (int i = 0; i < size; i++) {
                var number = i;
                running.add(threads.submit(() -> {
                    barrier.await();
                    var start = System.nanoTime();
                    var done = 0;
                    while (System.nanoTime() - start < time.toNanos()) {
                        task.run(number);
                        done++;
                    }
                    return done * 3.6e12 / (System.nanoTime() - start);
                }));
            }
            var sum = 0.0;
            for (var each : running) {
                sum += each.get();
            }
            return Math.round(sum);
        } catch (InterruptedException | ExecutionException e) {
            throw new IOException(e);
        }
    }
}
