package dev.skein.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.tools.call.Calls;
import dev.skein.tools.files.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuiltInToolsTest {

    private static final Path PAGE =
            Path.of("").toAbsolutePath().getParent().resolve("docs").resolve("tools.md");

    @TempDir
    Path directory;

    @Test
    void the_page_lists_every_tool_with_what_it_does() throws IOException {
        var shown = Pattern.compile("(?m)^\\| `([a-z_]+)` \\|.*\\| (reads|acts) \\| (safe|unsafe) \\|$")
                .matcher(Files.readString(PAGE))
                .results()
                .map(row -> row.group(1) + " " + row.group(2) + " " + row.group(3))
                .toList();

        var skill = Files.createDirectories(directory.resolve("skills/bread")).resolve("SKILL.md");
        Files.writeString(skill, "---\nname: bread\ndescription: How to bake\n---\nKnead.\n");
        var options = ToolOptions.defaults(System.getenv())
                .withMemory(directory.resolve("memory"))
                .withSkills(directory.resolve("skills"));
        assertThat(builtIn(options).tools())
                .extracting(tool -> (tool.spec().name() + " " + tool.spec().effect() + " "
                                + tool.spec().repeat())
                        .toLowerCase(java.util.Locale.ROOT))
                .containsExactlyElementsOf(shown);
    }

    @Test
    void the_script_tool_of_the_page_works() throws Exception {
        var blocks = Pattern.compile("(?ms)^```(sh|json)\\n(.*?)^```")
                .matcher(Files.readString(PAGE))
                .results()
                .toList();
        var functions = Files.createDirectory(directory.resolve("functions"));
        for (var block : blocks) {
            var name = block.group(1).equals("sh") ? "count_words" : "count_words.json";
            var file = Files.writeString(functions.resolve(name), block.group(2));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Files.writeString(directory.resolve("poem.txt"), "one two three\n");

        var built = builtIn(ToolOptions.defaults(System.getenv()).withFunctions(functions));

        assertThat(blocks).hasSize(2);
        assertThat(built.problems()).isEmpty();
        assertThat(Calls.words(built.tools(), "count_words", "file", "poem.txt"))
                .contains("3");
    }

    @Test
    void a_script_cannot_take_the_name_of_a_built_in_tool() throws Exception {
        var functions = Files.createDirectory(directory.resolve("functions"));
        var program = Files.writeString(functions.resolve("mine"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(
                functions.resolve("mine.json"),
                "{\"name\":\"read\",\"description\":\"x\",\"parameters\":{\"type\":\"object\"}}");

        var built = builtIn(ToolOptions.defaults(System.getenv()).withFunctions(functions));

        assertThat(built.tools())
                .filteredOn(tool -> tool.spec().name().equals("read"))
                .hasSize(1);
        assertThat(built.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.reason()).contains("is that of a built-in tool"));
    }

    private BuiltInTools builtIn(ToolOptions options) throws IOException {
        return BuiltInTools.in(Workspace.at(directory), options);
    }
}
