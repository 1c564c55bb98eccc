package dev.skein.cli.repl;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.program.Program.Confirmation;
import dev.skein.cli.secret.Vault;
import dev.skein.cli.vault.VaultCommands;
import dev.skein.failure.SkeinException;
import dev.skein.failure.VaultFailed;
import java.util.List;

/// The command about secrets. What is added is taken out of everything from then on.
record VaultDots(Program program) {

    static final List<String> WORDS = List.of("list", "add", "get", "update", "delete");

    void vault(String rest) {
        var words = rest.isEmpty() ? List.of("list") : List.of(rest.split("\\s+"));
        if (words.size() > 2) {
            throw CommandFailure.usage(
                    "a secret's value does not stand behind its name: you are asked for it, and nobody"
                            + " sees what you type; .vault add NAME");
        }
        var isList = words.getFirst().equals("list");
        if (!WORDS.contains(words.getFirst()) || isList == words.size() > 1) {
            throw CommandFailure.usage("say .vault list, or one of add, get, update and delete with a name");
        }
        if (isList) {
            list();
        } else {
            one(words.getFirst(), words.getLast());
        }
    }

    private void one(String word, String name) {
        switch (word) {
            case "add" -> {
                var value = VaultCommands.typed(program.terminal(), name);
                program.vault().add(name, value);
                learn(name, value);
                say("kept '" + name + "'; settings that name it {{" + name + "}} find it with the next start");
            }
            case "update" -> {
                var value = VaultCommands.typed(program.terminal(), name);
                program.vault().update(name, value);
                learn(name, value);
                say("'" + name + "' has another value now, for settings with the next start");
            }
            case "get" -> say(program.vault().get(name));
            default -> delete(name);
        }
    }

    private void delete(String name) {
        if (!names(program).contains(name)) {
            throw VaultFailed.notFound(name);
        }
        program.confirm(
                Confirmation.NEEDED, "delete the secret '" + program.terminal().stored(name) + "' for good");
        program.vault().delete(name);
        say("deleted the secret '" + name + "'");
    }

    private void learn(String name, String value) {
        program.ai().app().settings().redaction().learn(Vault.unspeakable(name, value));
    }

    private void list() {
        var names = names(program);
        if (names.isEmpty()) {
            say("no secrets yet; .vault add NAME keeps one");
        }
        names.forEach(this::say);
    }

    static List<String> names(Program program) {
        try {
            return program.vault().list().stream().map(Vault.Entry::name).toList();
        } catch (SkeinException _) {
            return List.of();
        }
    }

    private void say(String text) {
        text.lines().forEach(line -> program.terminal().line(program.terminal().stored(line)));
    }
}
