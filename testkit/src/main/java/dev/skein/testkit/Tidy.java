package dev.skein.testkit;

import static java.util.Objects.requireNonNullElse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Our style as a test: walks a repository and complains, naming the place and the remedy.
///
/// An exemption is a path, as far as the root of the repository, and the reason for it.
public final class Tidy {

    private static final int LINES_MAX = 400;
    private static final int COLUMNS_MAX = 120;
    private static final Pattern EMPTY_WORD = Pattern.compile(".*(Impl|Utils?|Helper|Manager|Base)\\.java");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern REMOTE = Pattern.compile("[a-z]+:.*|//.*|#.*");
    private static final Set<String> SKIPPED = Set.of("target", "node_modules");
    private static final Set<String> MAY_PRINT = Set.of("cli", "bench");

    /// What must not occur, and what to use instead. In halves, so that this file may be tidy.
    private static final Map<String, String> BANNED = new LinkedHashMap<>();

    static {
        BANNED.put("Instant" + ".now()", "the injected Clock");
        BANNED.put("UUID" + ".randomUUID", "the injected Ids");
        BANNED.put("Thread" + ".sleep", "a condition, or the injected Clock");
        BANNED.put("print" + "StackTrace", "the logger, or rethrow");
        BANNED.put("System" + ".out", "the terminal, in the cli module");
        BANNED.put("FIX" + "ME", "a fix, before the merge");
        BANNED.put("TO" + "DO", "an issue, or do it now");
    }

    private final Path root;
    private final Map<String, String> exemptions;
    private final List<String> complaints = new ArrayList<>();

    private Tidy(Path root, Map<String, String> exemptions) {
        this.root = root;
        this.exemptions = exemptions;
    }

    /// Everything there is to complain about in the repository at `root`; empty if it is tidy.
    public static List<String> complaintsAbout(Path root, Map<String, String> exemptions) throws IOException {
        var tidy = new Tidy(root, exemptions);
        for (var file : tidy.files()) {
            if (file.toString().endsWith(".java")) {
                tidy.source(file);
            }
        }
        tidy.packages();
        tidy.changelog();
        tidy.docs();
        tidy.staleExemptions();
        return List.copyOf(tidy.complaints);
    }

    private List<Path> files() throws IOException {
        var found = new ArrayList<Path>();
        collect(root, found);
        return found;
    }

    private static void collect(Path directory, List<Path> into) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            for (var child : children.sorted().toList()) {
                var name = nameOf(child);
                if (!Files.isDirectory(child)) {
                    into.add(child);
                } else if (!name.startsWith(".") && !SKIPPED.contains(name)) {
                    collect(child, into);
                }
            }
        }
    }

    private void source(Path file) throws IOException {
        var lines = Files.readAllLines(file);
        if (EMPTY_WORD.matcher(nameOf(file)).matches()) {
            complain(file, "the name says nothing, name what it does");
        }
        if (isMain(file) && lines.size() > LINES_MAX) {
            complain(file, "has " + lines.size() + " lines, split it by concept");
        }
        for (int i = 0; i < lines.size(); i++) {
            line(file, i + 1, lines.get(i));
        }
    }

    private void line(Path file, int number, String line) {
        if (line.length() > COLUMNS_MAX) {
            complain(file, "line " + number + " is longer than " + COLUMNS_MAX + " columns, wrap it");
        }
        BANNED.forEach((banned, instead) -> {
            var mayPrint = banned.startsWith("System") && MAY_PRINT.contains(moduleOf(file));
            if (line.contains(banned) && !mayPrint) {
                complain(file, "line " + number + ": not " + banned + ", use " + instead);
            }
        });
    }

    private void packages() throws IOException {
        var packages = new TreeSet<Path>();
        for (var file : files()) {
            if (isMain(file)
                    && file.toString().endsWith(".java")
                    && !nameOf(file).equals("module-info.java")) {
                packages.add(file.resolveSibling("package-info.java"));
            }
        }
        for (var description : packages) {
            if (!Files.exists(description)) {
                complain(description, "is missing, say what the package is and where to begin");
            }
        }
    }

    private void changelog() throws IOException {
        var changelog = root.resolve("CHANGELOG.md");
        if (Files.exists(changelog)) {
            var first = Files.readAllLines(changelog).stream()
                    .filter(line -> line.startsWith("## "))
                    .findFirst();
            if (!first.orElse("").startsWith("## Unreleased")) {
                complain(changelog, "does not begin with '## Unreleased', add that section");
            }
        }
    }

    private void docs() throws IOException {
        for (var file : files()) {
            var path = nameInRepository(file);
            if (path.endsWith(".md") && (path.startsWith("docs/") || path.equals("README.md"))) {
                var links = LINK.matcher(FENCED.matcher(Files.readString(file)).replaceAll(""));
                while (links.find()) {
                    link(file, links.group(1));
                }
            }
        }
    }

    private void link(Path file, String target) {
        var path = target.replaceFirst("#.*", "");
        if (!REMOTE.matcher(target).matches() && !Files.exists(file.resolveSibling(path))) {
            complain(file, "links to '" + target + "', which is not there");
        }
    }

    private void staleExemptions() {
        exemptions.forEach((path, reason) -> {
            if (!Files.exists(root.resolve(path))) {
                complaints.add(path + ": is exempt (" + reason + ") but not there, remove the exemption");
            }
        });
    }

    private void complain(Path file, String about) {
        var name = nameInRepository(file);
        if (!exemptions.containsKey(name)) {
            complaints.add(name + ": " + about);
        }
    }

    private boolean isMain(Path file) {
        return nameInRepository(file).contains("src/main/java/");
    }

    private String moduleOf(Path file) {
        return root.relativize(file).getName(0).toString();
    }

    private String nameInRepository(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    private static String nameOf(Path file) {
        return requireNonNullElse(file.getFileName(), file).toString();
    }
}
