package dev.skein.tools.rag.source;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.InvalidRequest;
import dev.skein.tools.call.Refused;
import dev.skein.tools.search.Glob;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Finds the documents that sources stand for: a file, all files below a directory, those that fit a pattern, a URL.
///
/// Links are not followed below what a person named, and hidden directories and those of package managers are not
/// entered. Used once, by one thread.
public final class Sources {

    /// More documents than this are not taken.
    public static final int DOCUMENTS_MAX = 20_000;

    private static final int DEPTH_MAX = 64;
    private static final Pattern URL = Pattern.compile("(?i)https?://.+");
    private static final Pattern GLOB_SIGN = Pattern.compile("[*?\\[{]");
    private static final Set<String> UNENTERED = Set.of("node_modules", "__pycache__", "venv");

    private final Path excluded;
    private final Cancellation cancellation;
    private final Map<String, Origin> origins = new TreeMap<>();
    private final List<Problem> problems = new ArrayList<>();

    private Sources(Path excluded, Cancellation cancellation) {
        this.excluded = excluded;
        this.cancellation = cancellation;
    }

    /// What was found, by name.
    public record Found(Map<String, Origin> origins, List<Problem> problems) {}

    /// A source as it is kept: absolute, so that it means the same wherever one is.
    ///
    /// @throws InvalidRequest if it cannot be a source
    public static String normal(String given, Path directory) {
        if (given.isBlank()) {
            throw new InvalidRequest("a source is empty; name a file, a directory, a pattern or a URL");
        }
        if (URL.matcher(given).matches()) {
            return given.strip();
        }
        try {
            var path = directory.resolve(given).toAbsolutePath().normalize();
            if (Files.exists(path)) {
                return path.toString();
            }
            if (GLOB_SIGN.matcher(given).find()) {
                var _ = Glob.compile(path.toString());
                return path.toString();
            }
        } catch (InvalidPathException | Refused e) {
            throw new InvalidRequest("'" + given + "' cannot be a source: " + e.getMessage());
        }
        throw new InvalidRequest(
                "there is no '" + given + "'; name a file, a directory, a pattern such as 'docs/**/*.md', or a URL");
    }

    /// Finds the documents of all these sources.
    ///
    /// @param excluded a directory that is left out, wherever it is found
    public static Found find(List<String> sources, Path excluded, Cancellation cancellation) {
        var finder = new Sources(excluded.toAbsolutePath().normalize(), cancellation);
        sources.forEach(finder::add);
        return new Found(finder.origins, finder.problems);
    }

    private void add(String source) {
        if (URL.matcher(source).matches()) {
            put(new Origin.Web(source));
            return;
        }
        var path = Path.of(source);
        try {
            if (Files.isDirectory(path)) {
                walk(path, Pattern.compile(".*", Pattern.DOTALL));
            } else if (Files.exists(path)) {
                file(path, Files.readAttributes(path, BasicFileAttributes.class));
            } else if (GLOB_SIGN.matcher(source).find()) {
                pattern(source);
            } else {
                problems.add(new Problem(source, "it is not there any more"));
            }
        } catch (IOException e) {
            problems.add(new Problem(source, reason(e)));
        }
    }

    /// Walks from the last directory before the first sign.
    private void pattern(String source) throws IOException {
        var sign = GLOB_SIGN.matcher(source);
        var slash = sign.find() ? source.lastIndexOf('/', sign.start()) : -1;
        var base = Path.of(slash <= 0 ? "/" : source.substring(0, slash));
        var before = origins.size();
        if (Files.isDirectory(base)) {
            walk(base, Glob.compile(source));
        }
        if (origins.size() == before) {
            problems.add(new Problem(source, "no file fits this pattern"));
        }
    }

    private void walk(Path root, Pattern wanted) throws IOException {
        Files.walkFileTree(root, EnumSet.noneOf(FileVisitOption.class), DEPTH_MAX, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                cancellation.check();
                var name = String.valueOf(directory.getFileName());
                var hidden = name.startsWith(".") || UNENTERED.contains(name);
                return directory.equals(excluded) || (hidden && !directory.equals(root))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
                var hidden = path.getFileName().toString().startsWith(".");
                if (attributes.isRegularFile()
                        && !hidden
                        && wanted.matcher(path.toString()).matches()) {
                    file(path, attributes);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException e) {
                problems.add(new Problem(path.toString(), reason(e)));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private void file(Path path, BasicFileAttributes attributes) {
        if (!attributes.isRegularFile()) {
            problems.add(new Problem(path.toString(), "it is neither a file nor a directory"));
        } else if (Secrets.isLikely(path.getFileName().toString())) {
            problems.add(new Problem(path.toString(), "its name is that of a file with secrets"));
        } else {
            put(new Origin.LocalFile(
                    path, attributes.size(), attributes.lastModifiedTime().toMillis()));
        }
    }

    private void put(Origin origin) {
        if (origins.size() >= DOCUMENTS_MAX && !origins.containsKey(origin.name())) {
            throw new InvalidRequest("there are more than " + DOCUMENTS_MAX
                    + " documents below these sources; name fewer directories, or use patterns");
        }
        origins.put(origin.name(), origin);
    }

    static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException _ -> "it may not be read";
            case NoSuchFileException _ -> "it is not there any more";
            default -> "it cannot be read: " + e.getMessage();
        };
    }
}
