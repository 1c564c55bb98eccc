package dev.skein.cli.repl;

import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.TextWidth;
import dev.skein.store.ListQuery;

/// The first words: a welcome for those who are here for the first time, one line for everybody else.
record Greeting(Program program) {

    private static final String OFFLINE = "offline";

    /// Longer lines are hard to read.
    private static final int WIDTH_MAX = 90;

    void show(Desk desk) {
        var terminal = program.terminal();
        if (!isFirstTime()) {
            terminal.line(terminal.paint(
                    Style.DIM, terminal.stored(desk.model() + " answers; .help lists commands, Ctrl-D leaves")));
            return;
        }
        var providers = program.ai().models().configured();
        terminal.line(terminal.paint(Style.BOLD, "Welcome to Skein."));
        tell(terminal.stored("What is said here is kept in sessions, in " + program.home() + ". Just type."));
        tell(terminal.stored("Providers found: " + String.join(", ", providers) + "; " + desk.model() + " answers."));
        if (desk.model().provider().equals(OFFLINE)) {
            tell("The offline model is not a language model. For a real one set OPENAI_API_KEY, ANTHROPIC_API_KEY,"
                    + " GEMINI_API_KEY or MISTRAL_API_KEY, or .model ollama:NAME for an Ollama.");
        }
        terminal.line(terminal.paint(Style.DIM, ".help lists commands, Ctrl-C stops an answer, Ctrl-D leaves"));
    }

    private void tell(String text) {
        TextWidth.wrap(text, Math.min(program.terminal().width(), WIDTH_MAX)).forEach(program.terminal()::line);
    }

    private boolean isFirstTime() {
        return program.store()
                .list(ListQuery.ofOwner(program.owner()).withLimit(1))
                .sessions()
                .isEmpty();
    }
}
