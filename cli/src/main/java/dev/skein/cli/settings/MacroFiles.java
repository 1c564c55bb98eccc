package dev.skein.cli.settings;

import dev.skein.cli.secret.Interpolation;
import dev.skein.cli.settings.MacroSpec.Step;
import dev.skein.cli.settings.MacroSpec.Variable;
import dev.skein.cli.terminal.Nearest;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.StorageFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// The macros in a directory, read anew each time. All that is wrong with a file is told at once, with its lines.
public record MacroFiles(Path directory) {

    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}._-]{0,63}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");
    private static final String ENDING = ".yaml";
    private static final int STEPS_MAX = 1_000;

    /// In alphabetical order, those that cannot be read too.
    public List<String> names() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var files = Files.list(directory)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ENDING))
                    .map(name -> name.substring(0, name.length() - ENDING.length()))
                    .filter(name -> NAME.matcher(name).matches())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw StorageFailed.io("list the macros in " + directory, e);
        }
    }

    /// The macro of this name.
    ///
    /// @throws InvalidRequest if there is no such macro, or it cannot be understood
    public MacroSpec find(String name) {
        var names = names();
        if (!names.contains(name)) {
            throw new InvalidRequest("there is no macro '" + name + "'; "
                    + Nearest.to(name, names)
                            .map(near -> "did you mean '" + near + "'?")
                            .orElse(
                                    names.isEmpty()
                                            ? "write one as " + directory.resolve("NAME" + ENDING)
                                            : "there are " + String.join(", ", names)));
        }
        var file = SettingsFile.read(directory.resolve(name + ENDING), Interpolation.NONE);
        var macro = macro(name, file);
        file.finish();
        if (!file.problems().isEmpty()) {
            throw new InvalidRequest(String.join("; ", file.problems()));
        }
        return macro;
    }

    private static MacroSpec macro(String name, SettingsFile file) {
        var variables = variables(file);
        var known = new HashSet<String>();
        variables.forEach(variable -> known.add(variable.name()));
        return new MacroSpec(
                name,
                file.text("description").orElse(null),
                file.flag("isolated").orElse(true),
                variables,
                steps(file, known));
    }

    private static List<Variable> variables(SettingsFile file) {
        var variables = new ArrayList<Variable>();
        var names = new HashSet<String>();
        for (var section : file.sections("variables")) {
            var variable = new Variable(
                    section.text("name").orElse(""),
                    section.flag("rest").orElse(false),
                    section.text("default").orElse(null));
            section.finish();
            if (!VARIABLE.matcher(variable.name()).matches() || !names.add(variable.name())) {
                section.problem("name", "is a name of letters, digits and _ that no other variable has");
            }
            if (!variables.isEmpty() && variables.getLast().rest()) {
                section.problem("name", "comes behind a variable that takes all the rest; put that one last");
            }
            if (!variables.isEmpty() && variables.getLast().otherwise() != null && variable.otherwise() == null) {
                section.problem("name", "needs a default too: the variable before it has one");
            }
            variables.add(variable);
        }
        return variables;
    }

    private static List<Step> steps(SettingsFile file, Set<String> known) {
        var texts = file.texts("steps").orElse(List.of());
        var steps = new ArrayList<Step>();
        for (int i = 0; i < texts.size(); i++) {
            var step = new Step(texts.get(i).strip(), file.place("steps/" + i).replaceFirst(": steps\\.[0-9]+$", ""));
            if (step.text().isEmpty()) {
                file.problem("steps/" + i, "is empty");
            }
            for (var gap : step.gaps()) {
                if (!known.contains(gap)) {
                    file.problem("steps/" + i, "names {{" + gap + "}}, and there is no such variable");
                }
            }
            steps.add(step);
        }
        if (texts.isEmpty() || texts.size() > STEPS_MAX) {
            file.problem("steps", "is a list of lines, at least one and at most " + STEPS_MAX);
        }
        return steps;
    }
}
