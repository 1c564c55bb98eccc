package dev.skein.cli.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// Passes connections on to another port of this machine. Cut, it keeps them open and lets nothing through, as a
/// network
/// does that lost its way; mended, everything arrives late.
final class Relay implements AutoCloseable {

    private final ServerSocket entrance;
    private final int target;
    private boolean cut;

    Relay(int target) throws IOException {
        this.target = target;
        this.entrance = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return entrance.getLocalPort();
    }

    synchronized void cut() {
        cut = true;
    }

    synchronized void mend() {
        cut = false;
        notifyAll();
    }

    private void accept() {
        try {
            while (true) {
                var near = entrance.accept();
                Thread.ofVirtual().start(() -> connect(near));
            }
        } catch (IOException _) {
            // It was closed.
        }
    }

    private void connect(Socket near) {
        try (near;
                var far = new Socket(InetAddress.getLoopbackAddress(), target)) {
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            var back = Thread.ofVirtual().start(() -> pass(far, near));
            pass(near, far);
            back.join();
        } catch (IOException _) {
            // One end is as gone as the other.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass(Socket from, Socket to) {
        try (var in = from.getInputStream();
                var out = to.getOutputStream()) {
            pass(in, out);
        } catch (IOException _) {
            // Closing both ends is how the other learns of it.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass(InputStream in, OutputStream out) throws IOException, InterruptedException {
        var buffer = new byte[16 * 1024];
        for (var count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            awaitPassage();
            out.write(buffer, 0, count);
            out.flush();
        }
    }

    private synchronized void awaitPassage() throws InterruptedException {
        while (cut) {
            wait();
        }
    }

    @Override
    public void close() throws IOException {
        mend();
        entrance.close();
    }
}
