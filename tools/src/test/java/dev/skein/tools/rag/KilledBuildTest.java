package dev.skein.tools.rag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation;
import dev.skein.retrieval.RagKey;
import dev.skein.testkit.ChildJvm;
import dev.skein.tools.rag.index.PassageSearch.By;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A build in a process of its own, which is killed while it goes on.
class KilledBuildTest {

    private static final RagKey FRUIT = new RagKey.Named("fruit");
    private static final int DOCUMENTS = 12;

    @TempDir
    Path home;

    /// Rebuilds, says before which document it is, and goes on when it is told to.
    static final class Building {
        static void main(String[] args) {
            rags(Path.of(args[0])).rebuild(FRUIT, (done, _, _) -> say(done), new Cancellation());
            say(-1);
        }

        private static void say(int done) {
            IO.println(done);
            if (IO.readln() == null) {
                Runtime.getRuntime().halt(1);
            }
        }
    }

    @Test
    void the_old_generation_answers_and_the_next_build_works() throws Exception {
        var documents = Files.createDirectories(home.resolve("documents"));
        write(documents, "plums");
        rags(home).create(FRUIT, List.of(documents.toString()), WordEmbedder.NAME, Progress.SILENT, new Cancellation());
        write(documents, "pears");

        for (var killedAt : List.of(0, DOCUMENTS / 2, DOCUMENTS)) {
            killBefore(killedAt);
            assertThat(found("plums")).as("killed before document %s", killedAt).contains("plums number 3");
            assertThat(found("pears")).doesNotContain("pears number");
        }

        var report = rags(home).rebuild(FRUIT, Progress.SILENT, new Cancellation());
        assertThat(report.changed()).isEqualTo(DOCUMENTS);
        assertThat(found("pears")).contains("pears number 3").doesNotContain("plums number");
        try (var left = Files.list(home.resolve("rags/fruit"))) {
            assertThat(left.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.contains("building"))
                    .filteredOn(name -> name.matches("[0-9]+"))
                    .hasSize(1);
        }
    }

    private void killBefore(int document) throws Exception {
        try (var child = ChildJvm.start(Building.class, home)) {
            for (var line = child.line(); ; line = child.line()) {
                assertThat(line).isNotNull().isNotEqualTo("-1");
                if (line.equals(String.valueOf(document))) {
                    break;
                }
                child.tell("go on");
            }
            child.kill();
        }
    }

    private String found(String word) {
        var hits = rags(home).search(FRUIT, word + " number 3", DOCUMENTS, By.WORDS, new Cancellation());
        return hits.stream().map(hit -> hit.passage().text()).reduce("", String::concat);
    }

    private static void write(Path directory, String fruit) throws IOException {
        for (int i = 0; i < DOCUMENTS; i++) {
            Files.writeString(
                    directory.resolve("note" + i + ".md"), "# Note\n\nThere are " + fruit + " number " + i + ".\n");
        }
    }

    private static Rags rags(Path home) {
        return new Rags(home, _ -> new WordEmbedder(), Clock.systemUTC());
    }
}
