package dev.skein.tools.rag.source;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.InvalidRequest;
import dev.skein.tools.call.Refused;
import dev.skein.tools.search.Glob;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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
    private final Walk walk;
    private final Map<String, Origin> origins = new TreeMap<>();
    private final List<Problem> problems = new ArrayList<>();
    private final Set<Path> unreadable = new HashSet<>();

    private Sources(Path excluded, Cancellation cancellation, Walk walk) {
        this.excluded = excluded;
        this.cancellation = cancellation;
        this.walk = walk;
    }

    /// Shows a visitor all that is below a directory.
    @FunctionalInterface
    interface Walk {
        void from(Path root, FileVisitor<? super Path> visitor) throws IOException;
    }

    /// What was found, by name.
    ///
    /// @param unreadable what is there and cannot be read now, so that nobody knows what lies below it
    public record Found(Map<String, Origin> origins, List<Problem> problems, Set<Path> unreadable) {

        /// Whether something of this name was not found only because it, or a directory above it, cannot be read now.
        public boolean isUnreadable(String name) {
            if (origins.containsKey(name) || URL.matcher(name).matches()) {
                return false;
            }
            for (var path = Path.of(name); path != null; path = path.getParent()) {
                if (unreadable.contains(path)) {
                    return true;
                }
            }
            return false;
        }
    }

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
        return find(
                sources,
                excluded,
                cancellation,
                (root, visitor) -> Files.walkFileTree(root, EnumSet.noneOf(FileVisitOption.class), DEPTH_MAX, visitor));
    }

    static Found find(List<String> sources, Path excluded, Cancellation cancellation, Walk walk) {
        var finder = new Sources(excluded.toAbsolutePath().normalize(), cancellation, walk);
        sources.forEach(finder::add);
        return new Found(finder.origins, finder.problems, finder.unreadable);
    }

    private void add(String source) {
        if (URL.matcher(source).matches()) {
            put(new Origin.Web(source));
            return;
        }
        var path = Path.of(source);
        try {
            var what = Files.readAttributes(path, BasicFileAttributes.class);
            if (what.isDirectory()) {
                walk(path, Pattern.compile(".*", Pattern.DOTALL));
            } else {
                file(path, what);
            }
        } catch (IOException e) {
            if (GLOB_SIGN.matcher(source).find()) {
                pattern(source);
            } else {
                fail(path, e);
            }
        }
    }

    /// Walks from the last directory before the first sign.
    private void pattern(String source) {
        var sign = GLOB_SIGN.matcher(source);
        var slash = sign.find() ? source.lastIndexOf('/', sign.start()) : -1;
        var base = Path.of(slash <= 0 ? "/" : source.substring(0, slash));
        var before = origins.size();
        try {
            if (Files.readAttributes(base, BasicFileAttributes.class).isDirectory()) {
                walk(base, Glob.compile(source));
            }
        } catch (NoSuchFileException _) {
            // Then nothing fits.
        } catch (IOException e) {
            fail(base, e);
            return;
        }
        if (origins.size() == before) {
            problems.add(new Problem(source, "no file fits this pattern"));
        }
    }

    /// What is gone is gone; of everything else it is not known what is there.
    private void fail(Path path, IOException e) {
        problems.add(new Problem(path.toString(), reason(e)));
        if (!(e instanceof NoSuchFileException)) {
            unreadable.add(path);
        }
    }

    private void walk(Path root, Pattern wanted) throws IOException {
        walk.from(root, new SimpleFileVisitor<>() {
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
                fail(path, e);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
                if (e != null) {
                    fail(directory, e);
                }
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
