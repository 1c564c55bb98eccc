package dev.skein.testkit.provider;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A place where a server waits until a test lets it go on. Instead of sleeping.
public final class Gate {

    private static final long SECONDS_MAX = 30;

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    /// Waits until the server stands at the gate.
    public void awaitArrival() throws InterruptedException {
        require(reached, "nobody came to the gate");
    }

    /// Waits until the gate was opened.
    public void awaitOpening() throws InterruptedException {
        require(opened, "nobody opened the gate");
    }

    public void open() {
        opened.countDown();
    }

    void pass() throws InterruptedException {
        reached.countDown();
        awaitOpening();
    }

    private static void require(CountDownLatch latch, String complaint) throws InterruptedException {
        if (!latch.await(SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new AssertionError(complaint);
        }
    }
}
