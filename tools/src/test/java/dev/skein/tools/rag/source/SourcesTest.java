package dev.skein.tools.rag.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is known of a tree some of which cannot be read.
class SourcesTest {

    @TempDir
    Path root;

    @BeforeEach
    void some_files() throws IOException {
        for (var name : List.of("a/one.txt", "b/two.txt", "b/deep/three.txt", "c/four.txt")) {
            var file = root.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, name);
        }
    }

    /// Cannot open some directories, and cannot read others to their end.
    private record Faulty(FileVisitor<? super Path> visitor, Map<Path, IOException> closed, Set<Path> broken)
            implements FileVisitor<Path> {

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            if (closed.containsKey(directory)) {
                visitor.visitFileFailed(directory, closed.get(directory));
                return FileVisitResult.SKIP_SUBTREE;
            }
            return visitor.preVisitDirectory(directory, attributes);
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            return broken.contains(file.getParent()) ? FileVisitResult.CONTINUE : visitor.visitFile(file, attributes);
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return visitor.visitFileFailed(file, e);
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
            return visitor.postVisitDirectory(
                    directory, broken.contains(directory) ? new IOException("input/output error") : e);
        }
    }

    private Sources.Found found(Map<Path, IOException> closed, Set<Path> broken) {
        return Sources.find(
                List.of(root.toString()),
                root.resolve("home"),
                new Cancellation(),
                (from, visitor) -> Files.walkFileTree(from, new Faulty(visitor, closed, broken)));
    }

    private List<String> names(Sources.Found found) {
        return found.origins().keySet().stream()
                .map(name -> root.relativize(Path.of(name)).toString())
                .toList();
    }

    @Test
    void what_lies_in_a_directory_that_cannot_be_opened_is_not_known_to_be_gone() {
        var closed = root.resolve("b");
        var found = found(Map.of(closed, new AccessDeniedException(closed.toString())), Set.of());

        assertThat(names(found)).containsExactly("a/one.txt", "c/four.txt");
        assertThat(found.problems()).containsExactly(new Problem(closed.toString(), "it may not be read"));
        assertThat(found.isUnreadable(root.resolve("b/two.txt").toString())).isTrue();
        assertThat(found.isUnreadable(root.resolve("b/deep/three.txt").toString()))
                .isTrue();
        assertThat(found.isUnreadable(root.resolve("bb/two.txt").toString())).isFalse();
        assertThat(found.isUnreadable(root.resolve("a/gone.txt").toString())).isFalse();
        assertThat(found.isUnreadable("https://example.org/b/two.txt")).isFalse();
    }

    @Test
    void a_directory_that_breaks_off_hides_neither_what_is_in_it_nor_what_comes_after_it() {
        var found = found(Map.of(), Set.of(root.resolve("b")));

        assertThat(names(found)).containsExactly("a/one.txt", "b/deep/three.txt", "c/four.txt");
        assertThat(found.isUnreadable(root.resolve("b/two.txt").toString())).isTrue();
        assertThat(found.isUnreadable(root.resolve("b/deep/three.txt").toString()))
                .as("it was found")
                .isFalse();
        assertThat(found.problems())
                .extracting(Problem::reason)
                .containsExactly("it cannot be read: input/output error");
    }

    @Test
    void a_directory_that_goes_while_it_is_looked_at_is_gone() {
        var gone = root.resolve("b");
        var found = found(Map.of(gone, new NoSuchFileException(gone.toString())), Set.of());

        assertThat(found.isUnreadable(root.resolve("b/two.txt").toString())).isFalse();
    }
}
