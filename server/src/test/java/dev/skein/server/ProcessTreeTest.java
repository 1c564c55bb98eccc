package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation.Registration;
import dev.skein.engine.Timers;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.tools.process.ChildEnvironment;
import dev.skein.tools.process.ShellTool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever ends a run ends the processes of its tools, and their children: nobody asks a process whether it likes to.
class ProcessTreeTest {

    private static final Duration REQUEST_TIME = Duration.ofSeconds(1_234);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    @TempDir
    Path directory;

    /// What happens when a request's time is up.
    private final AtomicReference<Runnable> timeIsUp = new AtomicReference<>();

    private final String mark = "61." + ProcessHandle.current().pid() + "00" + NUMBER.incrementAndGet();
    private TestServer server;
    private Client ann;
    private String session;

    @BeforeEach
    void start() {
        var shell = ShellTool.in(directory, ChildEnvironment.of(System.getenv(), Set.of()), 10_000);
        server = new TestServer(
                TestServer.OPTIONS.withRequestTime(REQUEST_TIME), TestServer.Extras.NONE.with(timers(), shell));
        ann = server.client("ann");
        session = "/v1/sessions/" + ann.create("{}");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /// The time of a request is up when the test says so.
    private Timers timers() {
        var real = Timers.daemon();
        return (delay, action) -> {
            if (!delay.equals(REQUEST_TIME)) {
                return real.after(delay, action);
            }
            timeIsUp.set(action);
            Registration nothing = () -> {};
            return nothing;
        };
    }

    @Test
    void when_the_time_is_up_sleep_60_and_its_children_are_gone() throws Exception {
        var answer = running();

        timeIsUp.get().run();

        assertThat(answer.get(60, TimeUnit.SECONDS).is(504).code()).isEqualTo("request.timeout");
        TestServer.await(() -> sleeping() == 0);
    }

    @Test
    void when_a_run_is_cancelled_so_are_its_processes() throws Exception {
        var answer = running();

        ann.post(session + "/cancel", "{}").is(200);

        assertThat(answer.get(60, TimeUnit.SECONDS).is(200).text("status")).isEqualTo("aborted");
        TestServer.await(() -> sleeping() == 0);
    }

    @Test
    void when_the_client_of_a_plain_answer_goes_away_so_do_its_processes() throws Exception {
        waiting();
        try (var socket = new Socket("127.0.0.1", server.server.port())) {
            ask(socket);
            TestServer.await(() -> sleeping() >= 3);
        }

        TestServer.await(() -> sleeping() == 0);
        TestServer.await(() -> ann.get(session).text("status").equals("aborted"));
        var id =
                SessionId.parse(session.substring(session.lastIndexOf('/') + 1)).orElseThrow();
        try (var kept = server.store.open(Scope.ofOwner("ann"), id)) {
            assertThat(kept.read(1).getLast().toString()).contains("the client went away");
        }
    }

    @Test
    void when_the_client_of_a_stream_goes_away_so_do_its_processes() throws Exception {
        waiting();
        try (var stream = ann.stream(session + "/continue", "{}")) {
            TestServer.await(() -> sleeping() >= 3);
            stream.close();
            TestServer.await(() -> sleeping() == 0);
        }
        TestServer.await(() -> ann.get(session).text("status").equals("aborted"));
    }

    /// An approved command that has started children and grandchildren, all of which sleep for a minute.
    private CompletableFuture<Client.Answer> running() {
        waiting();
        var answer = CompletableFuture.supplyAsync(
                () -> ann.post(session + "/continue", "{}"), Executors.newVirtualThreadPerTaskExecutor());
        TestServer.await(() -> sleeping() >= 3);
        return answer;
    }

    private void waiting() {
        var command = "shell sleep %1$s & sh -c 'sleep %1$s & sleep %1$s'".formatted(mark);
        assertThat(ann.post(session + "/completions", "{\"prompt\":\"" + command + "\"}")
                        .text("status"))
                .isEqualTo("waiting");
        ann.post(session + "/approvals/call-shell", "{\"approved\":true}").is(200);
    }

    private void ask(Socket socket) throws IOException {
        socket.getOutputStream()
                .write(("POST " + session + "/continue HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ann\r\n"
                                + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    /// How many processes of this machine sleep for our time.
    private long sleeping() {
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            long count = 0;
            for (var process : processes) {
                count += commandLine(process).equals("sleep\0" + mark + "\0") ? 1 : 0;
            }
            return count;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return "";
        }
    }
}
