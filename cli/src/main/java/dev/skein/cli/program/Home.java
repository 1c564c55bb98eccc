package dev.skein.cli.program;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Finds the directory in which Skein keeps everything.
final class Home {

    private Home() {}

    /// `--home`, else `SKEIN_HOME`, else `$XDG_CONFIG_HOME/skein`, else `~/.config/skein`.
    static Path find(Optional<Path> option, Map<String, String> env) {
        var user = Path.of(env.getOrDefault("HOME", System.getProperty("user.home", ".")));
        if (option.isPresent()) {
            return expanded(option.get(), user);
        }
        var skeinHome = env.getOrDefault("SKEIN_HOME", "");
        if (!skeinHome.isBlank()) {
            return expanded(Path.of(skeinHome), user);
        }
        var xdg = env.getOrDefault("XDG_CONFIG_HOME", "");
        // The XDG specification says to ignore a relative path.
        return !xdg.isBlank() && Path.of(xdg).isAbsolute()
                ? Path.of(xdg, "skein")
                : user.resolve(".config").resolve("skein");
    }

    /// Shells leave the tilde of `--home=~/x` alone.
    private static Path expanded(Path path, Path user) {
        return path.startsWith("~") ? user.resolve(Path.of("~").relativize(path)) : path;
    }
}
