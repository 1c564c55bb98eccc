package dev.skein.cli.schedule;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.failure.StorageFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein schedule remove`
@Command(name = "remove", description = "Remove a schedule. Its sessions stay.")
final class RemoveSchedule implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "SCHEDULE", description = "Its name.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    RemoveSchedule(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var files = program.schedules();
        ShowSchedule.requireThere(files, name);
        try {
            Files.deleteIfExists(files.file(name));
        } catch (IOException e) {
            throw StorageFailed.io("remove " + files.file(name), e);
        }
        if (json.wanted()) {
            program.answer(Map.of("removed", name));
        } else {
            program.terminal().line(program.terminal().stored("removed '" + name + "'; its sessions stay"));
        }
    }
}
