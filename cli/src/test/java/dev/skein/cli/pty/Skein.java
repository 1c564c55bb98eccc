package dev.skein.cli.pty;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The command line that starts the program from the classes that a test runs with.
public final class Skein {

    private Skein() {}

    public static List<String> command(String... args) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(),
                "dev.skein.cli.Main"));
        command.addAll(List.of(args));
        return command;
    }

    /// Whoever started the test, and however.
    private static String classPath() {
        return Stream.of(
                        System.getProperty("surefire.test.class.path", ""),
                        System.getProperty("java.class.path", ""),
                        loaded())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String loaded() {
        return Skein.class.getClassLoader() instanceof URLClassLoader urls
                ? Arrays.stream(urls.getURLs()).map(URL::getPath).collect(Collectors.joining(File.pathSeparator))
                : "";
    }
}
