package dev.skein.cli.macro;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.settings.MacroFiles;
import dev.skein.cli.settings.MacroSpec;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Table;
import dev.skein.cli.terminal.Table.Column;
import dev.skein.failure.SkeinException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `skein macros`, and `skein macros list`, which is the same.
@Command(name = "macros", description = "List the macros: files macros/NAME.yaml in home, lines for the prompt.")
public final class MacroCommands implements Runnable {

    private final Program program;

    @Mixin
    private final JsonOption json = new JsonOption();

    private MacroCommands(Program program) {
        this.program = program;
    }

    public static CommandLine with(Program program) {
        return new CommandLine(new MacroCommands(program))
                .addSubcommand("list", new MacroCommands(program))
                .addSubcommand(new ShowMacro(program));
    }

    /// What scripts get.
    private record Listing(List<MacroSpec> macros, List<String> problems) {}

    @Override
    public void run() {
        var files = program.macros();
        var macros = new ArrayList<MacroSpec>();
        var problems = new ArrayList<String>();
        for (var name : files.names()) {
            try {
                macros.add(files.find(name));
            } catch (SkeinException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        if (json.wanted()) {
            program.answer(new Listing(macros, problems));
            return;
        }
        show(macros, files);
        var terminal = program.terminal();
        problems.forEach(
                problem -> terminal.note(terminal.paint(Style.YELLOW, "warning:") + " " + terminal.stored(problem)));
    }

    private void show(List<MacroSpec> macros, MacroFiles files) {
        var terminal = program.terminal();
        if (macros.isEmpty()) {
            terminal.line("no macros yet; write one as " + terminal.stored(files.directory() + "/NAME.yaml"));
            return;
        }
        var table = new Table(List.of(Column.of("MACRO"), Column.shrinkingTo(20, "")));
        macros.forEach(macro -> table.add(List.of(
                macro.usage(), macro.description() == null ? steps(macro.steps().size()) : macro.description())));
        table.print(terminal);
    }

    private static String steps(int count) {
        return count == 1 ? "1 step" : count + " steps";
    }
}
