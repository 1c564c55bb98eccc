package dev.skein.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skein.cli.Main;
import dev.skein.cli.pty.Pty;
import dev.skein.cli.pty.Skein;
import dev.skein.cli.terminal.Streams;
import dev.skein.cli.terminal.Streams.Attached;
import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import dev.skein.store.file.FileSessionStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What Tab offers, asked of the shells themselves.
@Timeout(180)
class CompletionTest {

    @TempDir
    Path home;

    @TempDir
    Path bin;

    @BeforeEach
    void sessions_and_a_program_on_the_path() throws IOException {
        try (var store = FileSessionStore.open(home)) {
            store.create(NewSession.in(Scope.LOCAL).named("plums")).close();
            store.create(NewSession.in(Scope.LOCAL).named("two words")).close();
            store.create(NewSession.in(Scope.LOCAL.withAgent("coder")).named("plan"))
                    .close();
        }
        Files.writeString(
                Files.createDirectories(home.resolve("agents/coder")).resolve("config.yaml"), "model: offline:skein\n");
        Files.writeString(Files.createDirectories(home.resolve("roles")).resolve("pirate.md"), "Speak as a pirate.\n");
        var command = Skein.command().stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        var script = Files.writeString(bin.resolve("skein"), "#!/bin/sh\nexec " + command + " \"$@\"\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void bash_completes_commands_options_values_sessions_models_and_files() throws Exception {
        assumeInstalled("bash");
        Files.writeString(home.resolve("note.txt"), "");
        var script = Files.writeString(home.resolve("completion.bash"), completion("bash"));
        var asked = """
                source %s
                try() {
                    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
                    _skein
                    echo "= ${COMPREPLY[*]}"
                }
                cd %s
                try skein se
                try skein session sho
                try skein session show --mess
                try skein session export plums --format ''
                try skein session show pl
                try skein session show two
                try skein session show plums ''
                try skein --agent coder -s pl
                try skein -m offline : ''
                try skein -f not
                try skein completion ''
                try skein hello se
                try skein -a co
                try skein agents show ''
                try skein --role pi
                """.formatted(script, home);

        assertThat(output("bash", "--norc", "-c", asked).lines())
                .containsExactly(
                        "= session serve",
                        "= show",
                        "= --messages",
                        "= json yaml md",
                        "= plums",
                        "= two\\ words",
                        "= ",
                        "= plan",
                        "= skein",
                        "= note.txt",
                        "= bash zsh fish",
                        "= ",
                        "= coder",
                        "= coder",
                        "= pirate");
    }

    @Test
    void fish_completes_commands_options_values_and_sessions() throws Exception {
        assumeInstalled("fish");
        var script = Files.writeString(home.resolve("completion.fish"), completion("fish"));
        var asked = """
                source %s
                for line in 'skein sess' 'skein session sho' 'skein session show --mess' 'skein session show pl' \\
                        'skein session show two' 'skein session show plums pl' 'skein --agent coder -s pl' \\
                        'skein completion ' 'skein --agent co' 'skein --role pi'
                    echo "= "(complete -C $line | string replace -r '\\t.*' '' | string join ' ')
                end
                """.formatted(script);

        assertThat(output("fish", "--no-config", "-c", asked).replace("'", "").lines())
                .containsExactly(
                        "= session",
                        "= show",
                        "= --messages",
                        "= plums",
                        "= two words",
                        "",
                        "= plan",
                        "= bash fish zsh",
                        "= coder",
                        "= pirate");
    }

    @Test
    void zsh_completes_commands_options_and_sessions_at_its_prompt() throws Exception {
        assumeInstalled("zsh");
        assumeTrue(Pty.isPossible(), "nothing opens a pseudo-terminal here");
        var script = Files.writeString(home.resolve("completion.zsh"), completion("zsh"));
        Files.writeString(
                home.resolve(".zshrc"), "PS1='ready> '\nautoload -U compinit\ncompinit -u -D\nsource " + script + "\n");
        var env = Map.of(
                "ZDOTDIR", home.toString(), "SKEIN_HOME", home.toString(), "PATH", bin + ":" + System.getenv("PATH"));
        try (var zsh = new Pty(100, env, List.of("zsh", "-i"))) {
            zsh.sees("ready> ");
            zsh.presses("skein sess\t").sees("session ");
            zsh.presses("sho\t").sees("show ");
            zsh.presses("--mess\t").sees("--messages ");
            zsh.presses("1 tw\t").sees("two\\ words");
            zsh.presses("\u0015skein --agent co\t").sees("--agent coder");
            zsh.presses("\u0015skein completion \t").sees("bash");
        }
    }

    private static String completion(String shell) {
        var out = new ByteArrayOutputStream();
        var streams = new Streams(InputStream.nullInputStream(), out, out, Attached.PIPE);
        assertThat(Main.run(new String[] {"completion", shell}, streams, Map.of(), Clock.systemUTC()))
                .isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    private static void assumeInstalled(String shell) {
        var found = List.of("/bin/", "/usr/bin/", "/usr/local/bin/").stream()
                .anyMatch(directory -> Files.isExecutable(Path.of(directory + shell)));
        assumeTrue(found, "no " + shell + " here: its completion is not tried (apt-get install " + shell + ")");
    }

    private String output(String... command) throws Exception {
        var said = home.resolve("said");
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().put("SKEIN_HOME", home.toString());
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
        var process = builder.start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return Files.readString(said);
    }
}
