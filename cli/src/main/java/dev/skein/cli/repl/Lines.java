package dev.skein.cli.repl;

import dev.skein.message.Part;
import java.util.List;

/// Does what a line says: a command, or something to be said to the model. Lets failures through.
record Lines(Commands commands, Turn turn) {

    Commands.Then run(String typed) {
        var meant = LineSyntax.meant(typed);
        if (isCommand(typed)) {
            return commands.run(meant);
        }
        say(meant);
        return Commands.Then.GO_ON;
    }

    void say(String meant) {
        if (!meant.isEmpty()) {
            turn.say(List.of(new Part.Text(meant)));
        }
    }

    /// A dot before a letter, with nothing before it.
    private static boolean isCommand(String typed) {
        return typed.length() > 1 && typed.charAt(0) == '.' && Character.isLetter(typed.charAt(1));
    }
}
