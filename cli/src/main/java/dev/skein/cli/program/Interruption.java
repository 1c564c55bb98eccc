package dev.skein.cli.program;

import dev.skein.cancellation.Cancellation;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Lets Ctrl-C end a run rather than the program: the run keeps what was said, and then the program ends.
///
/// The first signal begins the shutdown of the process, which waits a moment for the run. Used by one thread.
public final class Interruption implements AutoCloseable {

    private static final int WAIT_SECONDS = 5;

    private final Cancellation cancellation = new Cancellation();
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = Thread.ofPlatform().name("skein-interruption").unstarted(this::interrupt);

    Interruption() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    public Cancellation cancellation() {
        return cancellation;
    }

    @Override
    public void close() {
        finished.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The shutdown has begun, and waits for us no longer.
        }
    }

    private void interrupt() {
        cancellation.cancel("interrupted");
        try {
            var _ = finished.await(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
