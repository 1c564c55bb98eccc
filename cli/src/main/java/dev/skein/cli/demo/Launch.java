package dev.skein.cli.demo;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// How the program that runs can be started once more.
final class Launch {

    /// Set by the scripts that start Skein: where they are.
    private static final String SCRIPT = "skein.launcher";

    private static final String MAIN = "dev.skein.cli.Main";

    private Launch() {}

    static List<String> again() {
        var script = System.getProperty(SCRIPT, "");
        if (!script.isEmpty()) {
            return List.of(script);
        }
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(),
                MAIN);
    }

    /// Whole paths, because it starts in another directory.
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
