package dev.skein.cli.repl;

import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.store.ListQuery;

/// The first words: a welcome for those who are here for the first time, one line for everybody else.
record Greeting(Program program) {

    private static final String OFFLINE = "offline";

    void show(Desk desk) {
        var terminal = program.terminal();
        if (!isFirstTime()) {
            terminal.line(terminal.paint(
                    Style.DIM, terminal.stored(desk.model() + " answers; .help lists commands, Ctrl-D leaves")));
            return;
        }
        var providers = program.ai().models().configured();
        terminal.line(terminal.paint(Style.BOLD, "Welcome to Skein."));
        terminal.line(terminal.stored("What is said here is kept in sessions, in " + program.home() + ". Just type."));
        terminal.line(terminal.stored(
                "Providers found: " + String.join(", ", providers) + "; " + desk.model() + " answers."));
        if (desk.model().provider().equals(OFFLINE)) {
            terminal.line("The offline model is not a language model. For a real one set OPENAI_API_KEY,");
            terminal.line("ANTHROPIC_API_KEY, GEMINI_API_KEY or MISTRAL_API_KEY, or .model ollama:NAME for an Ollama.");
        }
        terminal.line(terminal.paint(Style.DIM, ".help lists commands, Ctrl-C stops an answer, Ctrl-D leaves"));
    }

    private boolean isFirstTime() {
        return program.store()
                .list(ListQuery.ofOwner(program.owner()).withLimit(1))
                .sessions()
                .isEmpty();
    }
}
