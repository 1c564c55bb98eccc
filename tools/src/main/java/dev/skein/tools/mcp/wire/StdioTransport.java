package dev.skein.tools.mcp.wire;

import dev.skein.tools.process.ChildEnvironment;
import dev.skein.tools.process.ChildProcess;
import dev.skein.tools.process.HeadAndTail;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// A server that is our child: one message a line, on its standard streams.
///
/// Three threads of the platform serve it, since pipes would hold the carriers of virtual ones: a reader, a writer, and
/// one for what it prints as errors. A server that does not read is not waited for; what it is owed waits, up to a
/// limit.
public final class StdioTransport implements Transport {

    private static final int OWED_BYTES_MAX = 32 * 1024 * 1024;
    private static final long ECHO_MILLIS = 500;
    private static final byte[] END = new byte[0];

    private final String server;
    private final WireLimits limits;
    private final ChildProcess child;
    private final HeadAndTail errors;
    private final LinkedBlockingQueue<byte[]> owed = new LinkedBlockingQueue<>();
    private final AtomicInteger owedBytes = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Thread listener = Thread.currentThread();

    private StdioTransport(String server, ChildProcess child, WireLimits limits) {
        this.server = server;
        this.child = child;
        this.limits = limits;
        this.errors = new HeadAndTail(limits.stderrBytes());
    }

    /// Starts the server.
    ///
    /// @throws McpFailure if there is no such program
    public static StdioTransport open(
            String server, List<String> command, Path directory, ChildEnvironment environment, WireLimits limits) {
        try {
            var child = ChildProcess.start(command, directory, environment, ChildProcess.Outputs.APART);
            return new StdioTransport(server, child, limits);
        } catch (IOException e) {
            throw new McpFailure(
                    McpFailure.Kind.UNREACHABLE,
                    "the MCP server '" + server + "' cannot be started: " + e.getMessage() + "; check its command",
                    e);
        }
    }

    @Override
    public void start(Receiver receiver) {
        listener = thread("errors", () -> errors.drain(child.errors()));
        thread("reader", () -> read(receiver));
        thread("writer", this::write);
    }

    @Override
    public void send(Outgoing message) {
        var bytes = WireJson.write(message.json());
        if (closed.get() && message.request() != null) {
            // Whoever waits for the answer is told why there will be none, as soon as that is known.
            return;
        }
        if (closed.get()) {
            throw new McpFailure(McpFailure.Kind.ENDED, "the MCP server '" + server + "' has ended");
        }
        if (owedBytes.addAndGet(bytes.length) > OWED_BYTES_MAX) {
            owedBytes.addAndGet(-bytes.length);
            throw new McpFailure(
                    McpFailure.Kind.TOO_MUCH,
                    "the MCP server '" + server + "' does not read what it is sent; it seems to hang");
        }
        owed.add(bytes);
    }

    @Override
    public void agreed(String version) {
        // Said in the messages.
    }

    @Override
    public void forget(long request) {
        // Its stream is that of all others.
    }

    @Override
    public String diagnosis() {
        return VisibleText.of(errors.text().strip());
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            owed.add(END);
            child.close();
        }
    }

    private void read(Receiver receiver) {
        var lines = new BoundedLines(child.output(), limits.messageBytes());
        try {
            var bad = 0;
            for (var line = lines.next(); line != null; line = lines.next()) {
                if (isBlank(line)) {
                    continue;
                }
                try {
                    receiver.received(WireJson.read(line), line.length, null);
                } catch (IllegalArgumentException e) {
                    if (++bad > limits.badLines()) {
                        end(receiver, McpFailure.Kind.PROTOCOL, "sends what is no message: " + e.getMessage());
                        return;
                    }
                }
            }
            end(receiver, McpFailure.Kind.ENDED, "ended" + code());
        } catch (BoundedLines.TooLong e) {
            end(receiver, McpFailure.Kind.TOO_MUCH, "sends too much: " + e.getMessage());
        } catch (IOException e) {
            end(receiver, McpFailure.Kind.ENDED, "ended" + code());
        }
    }

    private static boolean isBlank(byte[] line) {
        for (var b : line) {
            if (b != ' ' && b != '\t') {
                return false;
            }
        }
        return true;
    }

    private String code() {
        try {
            return " with exit code " + child.ended().get(ECHO_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return "";
        } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException _) {
            return "";
        }
    }

    private void end(Receiver receiver, McpFailure.Kind kind, String what) {
        var wanted = closed.get();
        close();
        if (!wanted) {
            awaitErrors();
        }
        var said = diagnosis();
        receiver.ended(new McpFailure(
                kind,
                "the MCP server '" + server + "' " + (wanted ? "was closed" : what)
                        + (said.isEmpty() || wanted ? "" : "; it said: " + said)));
    }

    /// The last words of a server often come after its end.
    private void awaitErrors() {
        try {
            listener.join(ECHO_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void write() {
        try (OutputStream to = child.input()) {
            for (var bytes = owed.take(); bytes.length > 0; bytes = owed.take()) {
                to.write(bytes);
                to.write('\n');
                to.flush();
                owedBytes.addAndGet(-bytes.length);
            }
        } catch (IOException _) {
            // It does not read any more; the reader learns that it ended, or those who wait learn that it hangs.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private Thread thread(String what, Runnable work) {
        return Thread.ofPlatform()
                .daemon()
                .name("skein-mcp-" + server + "-" + what)
                .start(work);
    }
}
