package dev.skein.engine;

import dev.skein.cancellation.Cancellation.Registration;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Does things later, unless they are taken back.
public interface Timers {

    /// Runs the action after so long, in another thread. Closing what is returned takes it back.
    Registration after(Duration delay, Runnable action);

    /// One thread for all, which ends when it has had nothing to do for a while and never keeps a program alive.
    static Timers daemon() {
        var threads = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("skein-timer").factory());
        threads.setRemoveOnCancelPolicy(true);
        threads.setKeepAliveTime(5, TimeUnit.SECONDS);
        threads.allowCoreThreadTimeOut(true);
        return (delay, action) -> {
            var future = threads.schedule(action, delay.toMillis(), TimeUnit.MILLISECONDS);
            return () -> future.cancel(false);
        };
    }
}
