package dev.skein.retrieval;

import dev.skein.failure.InvalidRequest;
import java.util.regex.Pattern;

/// Which collection of documents is meant. An agent's own and one that a person made may have the same name.
public sealed interface RagKey {

    /// Letters, digits, dot, dash and underscore, so that a name is a directory everywhere.
    Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /// What is said on the command line to use none.
    String NONE = "none";

    String name();

    /// Made by a person, for any session.
    record Named(String name) implements RagKey {
        public Named {
            requireName(name);
            if (name.equals(NONE)) {
                throw new InvalidRequest("'none' means that no rag is used; choose another name");
            }
        }
    }

    /// What an agent brings along.
    record Agent(String name) implements RagKey {
        public Agent {
            requireName(name);
        }
    }

    private static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidRequest("'" + name + "' cannot be the name of a rag; use up to 64 letters, digits, dots,"
                    + " dashes and underscores, and begin with a letter or digit");
        }
    }
}
