package dev.skein.bench;

import dev.skein.testkit.http.PlainHttp;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// A server in a process of its own, so that its CPU and memory are nobody else's.
final class ServedProcess implements AutoCloseable {

    /// How `skein serve` starts the virtual machine.
    private static final String AS_SERVED = System.getProperty("skein.bench.server", "");

    private final Process process;
    private final BufferedReader out;
    private final int port;
    private final String key;

    private ServedProcess(Process process, BufferedReader out, int port, String key) {
        this.process = process;
        this.out = out;
        this.port = port;
        this.key = key;
    }

    /// Starts it as `skein serve` does, with these options besides, and waits until it listens.
    static ServedProcess start(Path home, String... options) throws IOException {
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(Arrays.stream(AS_SERVED.split(" "))
                .filter(option -> !option.isEmpty())
                .toList());
        command.addAll(List.of(options));
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ServedChild.class.getName(),
                home.toString()));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var out = process.inputReader(StandardCharsets.UTF_8);
        var words = answer(out).split(" ");
        return new ServedProcess(process, out, Integer.parseInt(words[0]), words[1]);
    }

    int port() {
        return port;
    }

    String key() {
        return key;
    }

    PlainHttp connect() throws IOException {
        return new PlainHttp(port, key);
    }

    /// CPU it has used so far, in nanoseconds.
    long cpu() throws IOException {
        return Long.parseLong(tell("cpu"));
    }

    /// What it uses of its heap and outside of it after a collection, in bytes, without what it only keeps for
    /// later.
    long used() throws IOException {
        return Long.parseLong(tell("used"));
    }

    /// Its resident memory after a collection, in bytes.
    long resident() throws IOException {
        return Long.parseLong(tell("resident"));
    }

    /// How many streams it has open.
    int streams() throws IOException {
        return Integer.parseInt(tell("streams"));
    }

    /// The control's port; it answers with this from now on.
    int bare(String answer) throws IOException {
        var bare = Integer.parseInt(tell("bare"));
        try (var http = new PlainHttp(bare, key)) {
            http.ask("PUT", "/", Map.of(), answer);
        }
        return bare;
    }

    /// Makes so many sessions.
    List<String> sessions(int count) throws IOException {
        return List.of(tell("sessions " + count).strip().split(" "));
    }

    /// Has somebody say something in a session and be answered with so many characters, as one append; returns how many
    /// nanoseconds that took there.
    long said(String session, int length) throws IOException {
        return Long.parseLong(tell("said " + session + " " + length));
    }

    private String tell(String command) throws IOException {
        var in = process.outputWriter(StandardCharsets.UTF_8);
        in.write(command + "\n");
        in.flush();
        return answer(out);
    }

    private static String answer(BufferedReader out) throws IOException {
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(ServedChild.ANSWER)) {
                return line.substring(ServedChild.ANSWER.length());
            }
        }
        throw new IOException("the server is gone");
    }

    @Override
    public void close() {
        process.destroy();
    }
}
