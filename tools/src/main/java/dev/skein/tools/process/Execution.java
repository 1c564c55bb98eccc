package dev.skein.tools.process;

import dev.skein.cancellation.Cancellation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// One program from its start to its end: fed, listened to, and ended when it takes too long or nobody wants it any
/// more.
record Execution(Path directory, ChildEnvironment environment, Duration timeout, int outputMax) {

    /// How long to listen after the program itself has ended.
    private static final long ECHO_MILLIS = 500;

    /// How it went. No code: it was killed because the time was over.
    record Ended(OptionalInt code, String output, String errors) {}

    /// Runs a program and hands it these bytes to read.
    ///
    /// @throws dev.skein.failure.Cancelled if that was asked for; nothing of the program is left
    Ended run(List<String> command, byte[] input, ChildProcess.Outputs outputs, Cancellation cancellation)
            throws IOException, InterruptedException {
        var output = new HeadAndTail(outputMax);
        var errors = new HeadAndTail(outputMax);
        var child = ChildProcess.start(command, directory, environment, outputs);
        Thread[] listeners;
        Optional<Integer> code;
        try (child) {
            listeners = new Thread[] {listen(child.output(), output), listen(child.errors(), errors)};
            feed(child, input);
            code = await(child, cancellation);
            if (code.isPresent()) {
                join(listeners);
            }
        }
        join(listeners);
        cancellation.check();
        return new Ended(code.map(OptionalInt::of).orElse(OptionalInt.empty()), output.text(), errors.text());
    }

    private Optional<Integer> await(ChildProcess child, Cancellation cancellation) throws InterruptedException {
        var end = child.ended();
        try (var _ = cancellation.onCancel(() -> end.completeExceptionally(new InterruptedException()))) {
            return Optional.of(end.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException | ExecutionException _) {
            return Optional.empty();
        }
    }

    /// A thread of the platform, since reading from a pipe would hold a virtual thread's carrier.
    private static Thread listen(InputStream from, HeadAndTail into) {
        return Thread.ofPlatform().daemon().name("skein-listener").start(() -> into.drain(from));
    }

    /// Apart, since a program that does not read would stop us otherwise.
    private static void feed(ChildProcess child, byte[] input) {
        Thread.ofPlatform().daemon().name("skein-feeder").start(() -> {
            try (var to = child.input()) {
                to.write(input);
            } catch (IOException _) {
                // It did not want to read, which is its right.
            }
        });
    }

    private static void join(Thread... threads) throws InterruptedException {
        for (var thread : threads) {
            thread.join(ECHO_MILLIS);
        }
    }
}
