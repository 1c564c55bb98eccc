package dev.skein.tools.skill;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.failure.InvalidRequest;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Arguments;
import dev.skein.tools.call.LocalTool;
import dev.skein.tools.call.Refused;
import dev.skein.tools.call.Schema;
import dev.skein.tools.files.Workspace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Reads skills. The description of the tool lists them, so a model knows of them exactly where it can read them.
///
/// A skill's files are reached without following links, and never outside its directory. Safe for use by many threads.
public final class SkillTool {

    public static final String NAME = "skill";

    private static final String FILE = "SKILL.md";
    private static final int SKILLS_MAX = 100;
    private static final int BYTES_MAX = 256 * 1024;
    private static final int NAMES_MAX = 200;

    private final Path directory;

    private SkillTool(Path directory) {
        this.directory = directory;
    }

    /// A skill that cannot be used, and why.
    public record Problem(Path file, String reason) {}

    /// The tool, if there are skills, and what is wrong with others.
    public record Found(Optional<Tool> tool, List<Problem> problems) {}

    /// Looks for skills: directories with a `SKILL.md`.
    public static Found in(Path directory) {
        var skills = new ArrayList<Skill>();
        var problems = new ArrayList<Problem>();
        var tool = new SkillTool(directory);
        for (var name : tool.names(problems)) {
            try {
                skills.add(tool.skill(name));
            } catch (InvalidRequest | Refused | IOException e) {
                problems.add(new Problem(directory.resolve(name).resolve(FILE), String.valueOf(e.getMessage())));
            }
        }
        return new Found(skills.isEmpty() ? Optional.empty() : Optional.of(tool.over(skills)), List.copyOf(problems));
    }

    private List<String> names(List<Problem> problems) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var entries = Files.list(directory)) {
            var names = entries.filter(entry -> Files.exists(entry.resolve(FILE)))
                    .map(entry -> entry.getFileName().toString())
                    .sorted()
                    .toList();
            if (names.size() > SKILLS_MAX) {
                problems.add(new Problem(directory, "has more than " + SKILLS_MAX + " skills; the rest is left out"));
            }
            return names.stream().limit(SKILLS_MAX).toList();
        } catch (IOException e) {
            problems.add(new Problem(directory, "cannot be listed: " + e.getMessage()));
            return List.of();
        }
    }

    private Tool over(List<Skill> skills) {
        var list = skills.stream()
                .map(skill -> "- " + skill.name() + ": " + skill.description())
                .collect(Collectors.joining("\n"));
        return new LocalTool(
                new ToolSpec(
                        NAME,
                        "Tells how to do something well, as the person wants it done. Before you begin with something"
                                + " that one of these is for, read it:\n"
                                + list,
                        Schema.requiring("name")
                                .choice(
                                        "name",
                                        "The skill.",
                                        skills.stream().map(Skill::name).toList())
                                .text("file", "A file of the skill that its text speaks of; left out: the text itself.")
                                .json(),
                        ToolSpec.Repeat.SAFE,
                        ToolSpec.Effect.READS),
                (arguments, _, _) -> ToolOutcome.Answered.text(read(arguments)));
    }

    private String read(Arguments arguments) throws IOException {
        var name = arguments.text("name");
        var file = arguments.optionalText("file");
        try {
            return file.isPresent() ? text(name, file.get()) : skill(name).body() + others(name);
        } catch (InvalidRequest e) {
            throw new Refused(FILE + " of '" + name + "' " + e.getMessage());
        }
    }

    private Skill skill(String name) throws IOException {
        return Skill.parse(name, text(name, FILE));
    }

    /// The names of what else there is, so that nobody has to guess.
    private String others(String name) throws IOException {
        try (var folder = workspace(name).open()) {
            var names = folder.names(NAMES_MAX).stream()
                    .filter(other -> !other.equals(FILE) && !other.startsWith("."))
                    .toList();
            return names.isEmpty() ? "" : "\n\nFiles of this skill: " + String.join(", ", names);
        }
    }

    private String text(String name, String file) throws IOException {
        var workspace = workspace(name);
        var names = workspace.names(file);
        if (names.isEmpty()) {
            throw new Refused("'" + file + "' is not a file of the skill '" + name + "'");
        }
        try (var folder = workspace.folder(names.subList(0, names.size() - 1));
                var channel = folder.read(names.getLast())) {
            return text(channel, file);
        }
    }

    private static String text(SeekableByteChannel channel, String file) throws IOException {
        if (channel.size() > BYTES_MAX) {
            throw new Refused("'" + file + "' is larger than " + BYTES_MAX + " bytes; ask for a smaller one");
        }
        var bytes = ByteBuffer.allocate(BYTES_MAX);
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
        try {
            return UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException _) {
            throw new Refused("'" + file + "' is not a text in UTF-8");
        }
    }

    private Workspace workspace(String name) throws IOException {
        if (!Skill.NAME.matcher(name).matches() || !Files.isDirectory(directory.resolve(name))) {
            throw new Refused("there is no skill '" + name + "'; the tool's description lists them");
        }
        return Workspace.at(directory.resolve(name));
    }
}
