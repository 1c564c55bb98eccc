package dev.skein.cli.session;

import dev.skein.exchange.imports.SessionFiles;
import dev.skein.exchange.imports.SourceFile;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.UnreadableImport;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Files to import: those that were named, and those in directories that were. Links are not followed, and only plain
/// files are read.
final class ImportFiles {

    private static final int DEPTH_MAX = 12;

    private ImportFiles() {}

    /// Where tools keep their sessions, of those places that are there.
    static Map<String, Path> known(Map<String, String> environment) {
        var places = new LinkedHashMap<String, Path>();
        var user = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")));
        var config = Path.of(environment.getOrDefault(
                "XDG_CONFIG_HOME", user.resolve(".config").toString()));
        for (var tool : List.of("loki", "coyote", "aichat")) {
            places.put(tool, config.resolve(tool));
        }
        places.put("miniclaw", user.resolve(".miniclaw/workspace/sessions"));
        places.put("agent-harness", user.resolve(".agent/sessions"));
        places.put("claude-code", user.resolve(".claude/projects"));
        places.put("codex", user.resolve(".codex/sessions"));
        places.put("pi", user.resolve(".pi/agent/sessions"));
        places.values().removeIf(place -> !Files.isDirectory(place));
        return places;
    }

    /// The file itself, or those in a directory that may be sessions, in order.
    static List<Path> at(Path given) {
        try {
            var about = Files.readAttributes(given, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (about.isSymbolicLink()) {
                throw new InvalidRequest("'" + given + "' is a link; name what it leads to");
            }
            if (!about.isDirectory()) {
                return List.of(given.toAbsolutePath().normalize());
            }
            return inside(given.toAbsolutePath().normalize());
        } catch (NoSuchFileException _) {
            throw new InvalidRequest("'" + given + "' is not there; name a session file, or a directory with some");
        } catch (IOException e) {
            throw new UnreadableImport(given.toString(), "cannot be looked at: " + e.getMessage(), e);
        }
    }

    private static List<Path> inside(Path directory) throws IOException {
        var found = new ArrayList<Path>();
        Files.walkFileTree(
                directory, EnumSet.noneOf(java.nio.file.FileVisitOption.class), DEPTH_MAX, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
                        if (about.isRegularFile() && SessionFiles.maySay(file)) {
                            found.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e) {
                        return FileVisitResult.CONTINUE;
                    }
                });
        found.sort(Comparator.naturalOrder());
        return found;
    }

    static SourceFile read(Path path) {
        try {
            var about = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!about.isRegularFile()) {
                throw new UnreadableImport(path.toString(), "is not a plain file");
            }
            var options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            try (var in = Channels.newInputStream(Files.newByteChannel(path, options))) {
                var content = in.readNBytes(SessionFiles.BYTES_MAX + 1);
                if (content.length > SessionFiles.BYTES_MAX) {
                    throw new UnreadableImport(
                            path.toString(), "is larger than " + SessionFiles.BYTES_MAX / 1024 / 1024 + " MiB");
                }
                return new SourceFile(path, content, about.lastModifiedTime().toInstant());
            }
        } catch (IOException e) {
            throw new UnreadableImport(path.toString(), "cannot be read: " + e.getMessage(), e);
        }
    }
}
