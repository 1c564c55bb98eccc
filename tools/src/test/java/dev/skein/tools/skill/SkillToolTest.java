package dev.skein.tools.skill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.tool.Tool;
import dev.skein.tools.call.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SkillToolTest {

    @TempDir
    Path home;

    private Path skills;

    @BeforeEach
    void write() throws IOException {
        skills = Files.createDirectories(home.resolve("skills"));
        skill("bread", "---\nname: bread\ndescription: How we bake.\n---\nKnead well. See times.txt.\n");
        Files.writeString(skills.resolve("bread/times.txt"), "forty minutes");
        Files.createDirectories(skills.resolve("bread/more"));
        Files.writeString(skills.resolve("bread/more/flour.txt"), "rye");
        Files.writeString(home.resolve("vault.key"), "a secret");
        Files.createSymbolicLink(skills.resolve("bread/link.txt"), home.resolve("vault.key"));
    }

    @Test
    void a_model_is_told_names_and_descriptions_and_reads_the_rest_when_it_asks() throws Exception {
        assertThat(tool().spec().description())
                .contains("- bread: How we bake.")
                .doesNotContain("Knead");
        assertThat(read("name", "bread")).contains("Knead well.", "times.txt");
        assertThat(read("name", "bread", "file", "times.txt")).isEqualTo("forty minutes");
        assertThat(read("name", "bread", "file", "more/flour.txt")).isEqualTo("rye");
    }

    @Test
    void what_a_person_changes_counts_at_once() throws Exception {
        var tool = tool();
        skill("bread", "---\nname: bread\ndescription: How we bake.\n---\nDo not knead.\n");
        assertThat(Calls.words(List.of(tool), "skill", "name", "bread")).contains("Do not knead.");
    }

    @Test
    void nothing_outside_of_a_skill_can_be_read() throws Exception {
        for (var file : List.of(
                "../../vault.key",
                home.resolve("vault.key").toString(),
                "more/../../../vault.key",
                "link.txt",
                ".",
                "..",
                "more",
                "\0")) {
            assertThat(read("name", "bread", "file", file))
                    .startsWith("failed: ")
                    .doesNotContain("a secret");
        }
        for (var name : List.of("..", "../skills/bread", "BREAD", "nothing", "")) {
            assertThat(read("name", name)).startsWith("failed: there is no skill");
        }
        Files.write(skills.resolve("bread/large.txt"), new byte[300_000]);
        assertThat(read("name", "bread", "file", "large.txt")).contains("larger than");
        Files.write(skills.resolve("bread/noise.bin"), new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThat(read("name", "bread", "file", "noise.bin")).contains("not a text");
    }

    @Test
    void a_skill_that_is_wrong_is_told_and_the_others_work() throws Exception {
        skill("cake", "no settings");
        skill("pie", "---\nname: tart\ndescription: x\n---\n");
        skill("jam", "---\nname: jam\n---\n");
        skill("tea", "---\nname: [\n---\n");
        var found = SkillTool.in(skills);
        assertThat(found.problems())
                .extracting(SkillTool.Problem::reason)
                .satisfiesExactly(
                        reason -> assertThat(reason).contains("between two lines of ---"),
                        reason -> assertThat(reason).contains("has a description"),
                        reason -> assertThat(reason).contains("that of its directory, pie"),
                        reason -> assertThat(reason).contains("cannot be understood"));
        assertThat(found.tool()).isPresent();
        assertThat(SkillTool.in(home.resolve("nowhere")).tool()).isEmpty();
    }

    private Tool tool() {
        return SkillTool.in(skills).tool().orElseThrow();
    }

    private String read(Object... arguments) throws InterruptedException {
        return Calls.words(List.of(tool()), "skill", arguments);
    }

    private void skill(String name, String text) throws IOException {
        Files.writeString(Files.createDirectories(skills.resolve(name)).resolve("SKILL.md"), text);
    }
}
