package dev.skein.engine;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A running tool, in a thread of its own. When it takes too long or is not wanted any more it is interrupted, and if
/// it does not care, left behind: a run never waits for a tool that does not listen. Used once, by one thread.
final class ToolWork implements AutoCloseable {

    private final Tool tool;
    private final Cancellation cancellation;
    private volatile boolean wanted = true;

    ToolWork(Tool tool, Cancellation cancellation) {
        this.tool = tool;
        this.cancellation = cancellation;
    }

    ToolOutcome outcome(ToolRequest request, Duration limit) throws InterruptedException {
        var task = new FutureTask<>(() -> tool.run(request, cancellation));
        Thread.ofVirtual().name("tool " + tool.spec().name()).start(task);
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            return new ToolOutcome.TimedOut(limit);
        } catch (ExecutionException e) {
            return ToolOutcome.Failed.because(e.getCause() == null ? e : e.getCause());
        } finally {
            task.cancel(true);
        }
    }

    /// Does it unless the tool has come to its end for those who asked.
    void whileWanted(Runnable action) {
        if (wanted) {
            action.run();
        }
    }

    @Override
    public void close() {
        wanted = false;
    }
}
