package dev.skein.cli.program;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs something whenever the process gets SIGHUP, one at a time. What it throws is logged, and nothing changes.
public final class ReloadSignal implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReloadSignal.class);
    private static final String HANGUP = "HUP";

    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("skein-reload").factory());
    private final @Nullable Object before;

    private ReloadSignal(Runnable reload) {
        this.before = Signals.register(
                HANGUP,
                () -> thread.execute(() -> {
                    try {
                        reload.run();
                        LOG.info("settings and keys were read again");
                    } catch (RuntimeException e) {
                        LOG.error("nothing was changed: {}", e.getMessage());
                    }
                }));
    }

    /// Until it is closed.
    public static ReloadSignal runs(Runnable reload) {
        return new ReloadSignal(reload);
    }

    @Override
    public void close() {
        if (before != null) {
            Signals.unregister(HANGUP, before);
        }
        thread.shutdown();
    }
}
