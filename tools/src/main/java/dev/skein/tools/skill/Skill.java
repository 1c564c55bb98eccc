package dev.skein.tools.skill;

import dev.skein.failure.InvalidRequest;
import dev.skein.wire.Json;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// What `SKILL.md` says: front matter with a name and a description, then what is to be done.
record Skill(String name, String description, String body) {

    static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");

    private static final YAMLMapper YAML = Json.configure(YAMLMapper.builder()).build();
    private static final String FENCE = "---";
    private static final int DESCRIPTION_CHARS_MAX = 1_024;

    /// @throws InvalidRequest that says what is wrong
    static Skill parse(String directory, String text) {
        var lines = text.lines().toList();
        var end = lines.isEmpty() || !lines.getFirst().strip().equals(FENCE) ? -1 : fence(lines);
        if (end < 0) {
            throw new InvalidRequest("begins with settings between two lines of ---: name and description");
        }
        var settings = settings(lines.subList(1, end));
        var name = settings.path("name").asString("").strip();
        var description = settings.path("description").asString("").strip();
        if (!name.equals(directory)) {
            throw new InvalidRequest("its name is '" + name + "'; it must be that of its directory, " + directory);
        }
        if (description.isEmpty() || description.length() > DESCRIPTION_CHARS_MAX) {
            throw new InvalidRequest("has a description of 1 to " + DESCRIPTION_CHARS_MAX + " characters");
        }
        return new Skill(
                name,
                description.replaceAll("\\s+", " "),
                String.join("\n", lines.subList(end + 1, lines.size())).strip());
    }

    private static int fence(List<String> lines) {
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).strip().equals(FENCE)) {
                return i;
            }
        }
        return -1;
    }

    private static JsonNode settings(List<String> lines) {
        try {
            return YAML.readTree(String.join("\n", lines));
        } catch (JacksonException e) {
            throw new InvalidRequest(
                    "line " + (e.getLocation().getLineNr() + 1) + " cannot be understood: " + e.getOriginalMessage());
        }
    }
}
