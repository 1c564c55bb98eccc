package dev.skein.tools.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// What this machine offers to keep a program and everything it starts together. Found out once, by trying, when the
/// first program is started.
///
/// From the best to the least:
///
/// - _A process namespace of its own_ (`unshare --pid`), as root or in a user namespace. Whatever the program starts
///   ends with it, even what left its session (`setsid`, `nohup`, a double fork). With its own `/proc` it sees no
///   process but its own, hence nobody else's environment.
/// - _A session of its own_ (`setsid`). The process group and all known descendants are ended; what left the group
///   and lost its parent escapes.
/// - _Nothing_: known descendants are ended.
///
/// With `setpriv --pdeathsig` the program is killed when we are, even by `kill -9`; with a namespace all of its
/// descendants are too.
enum Containment {
    NAMESPACE_AND_PROC(true, true, true, "--mount-proc"),
    USER_NAMESPACE_AND_PROC(true, true, true, "--user --map-current-user --mount-proc"),
    NAMESPACE(true, true, true, ""),
    USER_NAMESPACE(true, true, true, "--user --map-current-user"),
    ROOT_USER_NAMESPACE(true, true, true, "--map-root-user"),
    SESSION_AND_DEATH_SIGNAL(true, true, false, ""),
    SESSION(true, false, false, ""),
    NONE(false, false, false, "");

    private static final List<String> DIRECTORIES = List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin");
    private static final long TRIAL_SECONDS = 5;

    /// The first process of a namespace ignores signals it does not handle, so it is a shell that waits for the
    /// program.
    private static final List<String> FIRST_PROCESS = List.of("/bin/sh", "-c", "\"$@\"; exit $?", "sh");

    private final boolean session;
    private final boolean deathSignal;
    private final boolean namespace;
    private final String options;

    Containment(boolean session, boolean deathSignal, boolean namespace, String options) {
        this.session = session;
        this.deathSignal = deathSignal;
        this.namespace = namespace;
        this.options = options;
    }

    /// The best this machine offers.
    static Containment best() {
        return Best.FOUND;
    }

    /// Whether all descendants end when the program does.
    boolean isNamespace() {
        return namespace;
    }

    /// Whether the program leads a process group of its own.
    boolean hasSession() {
        return session;
    }

    /// The command line that runs this one contained. Arguments are handed on as they are, without a shell's eyes.
    List<String> around(List<String> command) {
        var all = new ArrayList<String>();
        if (session) {
            all.add(program("setsid"));
        }
        if (deathSignal) {
            all.addAll(List.of(program("setpriv"), "--pdeathsig", "KILL"));
        }
        if (namespace) {
            all.addAll(List.of(program("unshare"), "--pid", "--fork", "--kill-child=KILL"));
            Stream.of(options.split(" ")).filter(option -> !option.isEmpty()).forEach(all::add);
            all.add("--");
            all.addAll(FIRST_PROCESS);
        }
        all.addAll(command);
        return all;
    }

    private boolean works() {
        Process trial;
        try {
            trial = new ProcessBuilder(around(List.of("/bin/sh", "-c", "exit 42")))
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException _) {
            return false;
        }
        try {
            return trial.waitFor(TRIAL_SECONDS, TimeUnit.SECONDS) && trial.exitValue() == 42;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            trial.destroyForcibly();
        }
    }

    /// From the usual places only, whatever the search path says.
    private static String program(String name) {
        return DIRECTORIES.stream()
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse(name);
    }

    private static final class Best {
        static final Containment FOUND = Stream.of(values())
                .filter(candidate -> candidate == NONE || candidate.works())
                .findFirst()
                .orElse(NONE);
    }
}
