package dev.skein.cli.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What `bin/dist` makes, unpacked somewhere else and used.
@Timeout(240)
class DistributionTest {

    private static final int LARGE = 10 * 1024 * 1024;

    @TempDir
    static Path work;

    private static Path unpacked;

    private record Ran(int code, String out, String err) {}

    @BeforeAll
    static void make_it_from_the_classes_at_hand() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash is not installed");
        var jars = Files.createDirectory(work.resolve("jars"));
        collect(jars);
        var made = run(
                Map.of("JAVA_HOME", System.getProperty("java.home")),
                root().resolve("bin/dist").toString(),
                jars.toString(),
                Files.createDirectory(work.resolve("made")).toString());
        assertThat(made.code()).as(made.err()).isZero();
        var archive = Path.of(made.out().strip());
        assertThat(archive.getFileName().toString()).startsWith("skein-").endsWith(".tar.gz");
        unpack(archive);
        unpacked = work.resolve("some where")
                .resolve(archive.getFileName().toString().replace(".tar.gz", ""));
        // It must not need what it was made from.
        for (var jar : jars.toFile().listFiles()) {
            Files.delete(jar.toPath());
        }
    }

    @Test
    void it_runs_with_a_jdk_that_is_not_the_first_java_on_the_path() throws Exception {
        var ran = skein("--version");

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).startsWith("skein ").hasLineCount(1);
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void it_talks_lists_and_completes() throws Exception {
        var said = skein("-s", "plum", "hello there");
        var listed = skein("session", "list");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.out()).contains("hello there");
        assertThat(listed.code()).as(listed.err()).isZero();
        assertThat(listed.out()).contains("plum", "hello there");
        assertThat(skein("completion", "bash").out())
                .isEqualTo(Files.readString(unpacked.resolve("completions/skein.bash")))
                .contains("session");
    }

    @Test
    void it_is_started_through_a_link_too() throws Exception {
        var link = Files.createSymbolicLink(work.resolve("linked"), unpacked.resolve("bin/skein"));

        assertThat(run(elsewhere(), link.toString(), "--version").out()).startsWith("skein ");
    }

    @Test
    void it_has_what_makes_it_start_fast_and_what_explains_it() {
        assertThat(unpacked.resolve("lib/skein.aot")).isNotEmptyFile();
        assertThat(unpacked.resolve("completions/_skein")).isNotEmptyFile();
        assertThat(unpacked.resolve("completions/skein.fish")).isNotEmptyFile();
        assertThat(unpacked.resolve("docs/cli.md")).isNotEmptyFile();
        assertThat(unpacked.resolve("LICENSE")).isNotEmptyFile();
    }

    @Test
    void local_embeddings_are_an_archive_that_is_unpacked_over_it() throws Exception {
        var addon = work.resolve("made").resolve(unpacked.getFileName() + "-embeddings.tar.gz");
        assertThat(unpacked.resolve("lib")).isDirectoryNotContaining("glob:**onnxruntime*");

        unpack(addon);

        assertThat(unpacked.resolve("lib/embeddings")).isDirectoryContaining("glob:**onnxruntime*");
        assertThat(skein("--version").out()).startsWith("skein ");
    }

    @Test
    void without_a_jdk_that_is_new_enough_it_says_what_to_install() throws Exception {
        var old = Files.createDirectory(work.resolve("old")).resolve("bin");
        run(Map.of(), "cp", "-R", unpacked.resolve("bin").toString(), old.toString());
        var search = old.resolve("find-jdk");
        // As on a machine where every JDK is too old.
        Files.writeString(search, Files.readString(search).replace("SKEIN_JAVA=25", "SKEIN_JAVA=999"));

        var ran = run(elsewhere(), old.resolve("skein").toString(), "--version");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .hasLineCount(1)
                .contains("skein: no JDK 999 or newer found: install one", "or set JAVA_HOME");
    }

    private static Ran skein(String... args) throws Exception {
        var command = new ArrayList<>(List.of(unpacked.resolve("bin/skein").toString()));
        command.addAll(List.of(args));
        return run(elsewhere(), command.toArray(String[]::new));
    }

    /// Another java comes first on the path, and a good JDK lies where a tool of its own put it.
    private static Map<String, String> elsewhere() throws IOException {
        var bin = Files.createDirectories(work.resolve("other/bin"));
        var java = bin.resolve("java");
        if (!Files.exists(java)) {
            Files.writeString(java, "#!/bin/sh\necho an old java >&2\nexit 9\n");
            assertThat(java.toFile().setExecutable(true)).isTrue();
            var candidates = Files.createDirectories(work.resolve("person/.sdkman/candidates/java"));
            Files.createSymbolicLink(candidates.resolve("25"), Path.of(System.getProperty("java.home")));
        }
        return Map.of(
                "PATH", bin + ":/usr/bin:/bin",
                "HOME", work.resolve("person").toString(),
                "SKEIN_HOME", work.resolve("home").toString());
    }

    private static void unpack(Path archive) throws Exception {
        var to = Files.createDirectories(work.resolve("some where"));
        var ran = run(Map.of(), "tar", "-C", to.toString(), "-xzf", archive.toString());
        assertThat(ran.code()).as(ran.err()).isZero();
    }

    /// Directories of classes become jars, the others are linked; the large ones are left out for speed, but for an
    /// empty one
    /// in the place of the largest.
    private static void collect(Path jars) throws IOException {
        var classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        var number = 0;
        for (var entry : classPath.split(File.pathSeparator)) {
            var path = Path.of(entry);
            if (Files.isDirectory(path)) {
                pack(jars.resolve((number++ == 0 ? "tests" : "skein-cli-" + number) + ".jar"), path);
            } else if (Files.exists(path) && Files.size(path) < LARGE) {
                Files.createSymbolicLink(jars.resolve(path.getFileName()), path.toAbsolutePath());
            }
        }
        pack(jars.resolve("onnxruntime-0.jar"), Files.createDirectory(work.resolve("nothing")));
    }

    private static void pack(Path jar, Path classes) {
        var code = ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(System.out, System.err, "-c", "-0", "-f", jar.toString(), "-C", classes.toString(), ".");
        assertThat(code).isZero();
    }

    private static Path root() {
        var here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("bin/dist")) ? here : here.getParent();
    }

    private static Ran run(Map<String, String> env, String... command) throws Exception {
        var out = Files.createTempFile(work, "out", "");
        var err = Files.createTempFile(work, "err", "");
        var builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.endsWith("_API_KEY") || name.equals("JAVA_HOME"));
        builder.environment().putAll(env);
        var process = builder.start();
        try {
            assertThat(process.waitFor(200, TimeUnit.SECONDS))
                    .as("%s ends", List.of(command))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ran(process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    }
}
