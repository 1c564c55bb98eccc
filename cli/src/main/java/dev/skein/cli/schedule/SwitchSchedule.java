package dev.skein.cli.schedule;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.failure.StorageFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein schedule enable` and `skein schedule disable`
@Command(description = "Let a schedule run from now on, or not. What is missed meanwhile is not made up.")
final class SwitchSchedule implements Runnable {

    private static final Pattern LINE = Pattern.compile("(?m)^enabled[ \\t]*:.*$");

    private final Program program;
    private final To to;

    @Parameters(index = "0", paramLabel = "SCHEDULE", description = "Its name.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    /// What becomes of it.
    enum To {
        ON("enabled"),
        OFF("disabled");

        private final String word;

        To(String word) {
            this.word = word;
        }
    }

    SwitchSchedule(Program program, To to) {
        this.program = program;
        this.to = to;
    }

    @Override
    public void run() {
        var files = program.schedules();
        if (ShowSchedule.find(files, name).enabled() != (to == To.ON)) {
            var before = text();
            files.write(name, changed(before));
            if (files.find(name).filter(now -> now.enabled() == (to == To.ON)).isEmpty()) {
                files.write(name, before);
                throw CommandFailure.usage("the line 'enabled: " + (to == To.ON) + "' does not fit into "
                        + program.terminal().stored(files.file(name).toString()) + "; write it there yourself");
            }
        }
        if (json.wanted()) {
            program.answer(Map.of(to.word, name));
        } else {
            program.terminal().line(program.terminal().stored(to.word + " '" + name + "'"));
        }
    }

    private String text() {
        var file = program.schedules().file(name);
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw StorageFailed.io("read " + file, e);
        }
    }

    /// The rest of the file is a person's, comments and all, and stays as it is.
    private String changed(String text) {
        var line = "enabled: " + (to == To.ON);
        var found = LINE.matcher(text);
        return found.find() ? found.replaceFirst(line) : text + (text.endsWith("\n") ? "" : "\n") + line + "\n";
    }
}
