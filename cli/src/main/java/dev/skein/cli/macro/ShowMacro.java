package dev.skein.cli.macro;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein macros show`
@Command(name = "show", description = "Show how a macro is called and what it does.")
final class ShowMacro implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "MACRO", description = "Its name.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    ShowMacro(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var macro = program.macros().find(name);
        if (json.wanted()) {
            program.answer(macro);
            return;
        }
        var terminal = program.terminal();
        terminal.line(terminal.stored(macro.usage()) + (macro.isolated() ? "" : " (at the desk as it is)"));
        if (macro.description() != null) {
            terminal.line(terminal.stored(macro.description()));
        }
        for (int i = 0; i < macro.steps().size(); i++) {
            terminal.line((i + 1) + ". " + terminal.stored(macro.steps().get(i).text()));
        }
    }
}
