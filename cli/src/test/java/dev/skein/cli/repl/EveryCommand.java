package dev.skein.cli.repl;

import static dev.skein.cli.repl.Sitting.CTRL_C;

import dev.skein.cancellation.Cancellation;
import dev.skein.retrieval.RagKey;
import dev.skein.tools.rag.Progress;
import dev.skein.tools.rag.Rags;
import dev.skein.tools.rag.embedding.LocalEmbedder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/// A sitting in which every command is typed, with what is seen after each. Needs an editor that writes `written in an
/// editor`, a file with a note about apples, a role `poet`, an agent `helper`, and empty
/// documents `papers`.
final class EveryCommand {

    /// What is typed, what it shows, and what comes then.
    record Step(String line, String shows, String then) {

        /// Ctrl-C needs no Enter.
        String keys() {
            return line.equals(CTRL_C) ? CTRL_C : line + "\r";
        }
    }

    private EveryCommand() {}

    private static Step step(String line, String shows, String then) {
        return new Step(line, shows, then);
    }

    /// Puts the role and the documents into home.
    static void prepare(Path home) throws IOException {
        Files.writeString(Files.createDirectories(home.resolve("roles")).resolve("poet.md"), "You are a poet.");
        Files.writeString(
                Files.createDirectories(home.resolve("agents/helper")).resolve("config.yaml"),
                "instructions: You help people.\nstarters: [good morning]\n");
        Files.writeString(
                Files.createDirectories(home.resolve("macros")).resolve("greet.yaml"),
                "variables: [{name: whom}]\nsteps: [.role poet, '.session greeted', 'greetings to {{whom}}']\n");
        new Rags(home, _ -> new LocalEmbedder(home), Clock.systemUTC())
                .create(new RagKey.Named("papers"), List.of(), null, Progress.SILENT, new Cancellation());
    }

    static List<Step> steps(Path file) {
        return List.of(
                step(".help", "Ctrl-C stops an answer", "> "),
                step(".info", "compression_threshold", "> "),
                step(".model", "the model is offline:skein", "> "),
                step(".models", "offline:skein (this one)", "> "),
                step(".tools", "shell", "> "),
                step(".mcp", "there are no MCP servers", "> "),
                step(".mcp reload", "mcp.json was read again: 0 servers", "> "),
                step(".prompt Answer briefly.", "as long as this sitting lasts", "> "),
                step(".role poet", "the model answers as 'poet'", "> "),
                step(".info role", "You are a poet.", "> "),
                step(".exit role", "does not answer as 'poet' any more", "> "),
                step(".agent helper", "'helper' answers from now on", "> "),
                step(".info agent", "You help people.", "> "),
                step(".starter", "1. good morning", "> "),
                step(".starter 1", "You said: good morning", "> "),
                step(".exit agent", "'helper' does not answer any more", "skein> "),
                step(".set temperature 0.5", "temperature is 0.5 now", "> "),
                step(".session one", "session 'one' is open and empty", "one> "),
                step("first words", "You said: first words", "one> "),
                step(".info session", "offline:skein", "one> "),
                step(".save session two", "called 'two' now", "two> "),
                step(".rename three", "called 'three' now", "three> "),
                step(".tree", "first words", "three> "),
                step(".search first words", "three", "three> "),
                step(".rag papers", "answers come from 'papers'", "three> "),
                step("more words", "You said: more words", "three> "),
                step(".sources rag", "nothing fitting was found in 'papers'", "three> "),
                step(".rebuild rag", "papers: 0 passages", "three> "),
                step(".exit rag", "from no documents again", "three> "),
                step(".macro greet 'all the plums'", "You said: greetings to all the plums", "three> "),
                step(".info role", "no role is on", "three> "),
                step(".vault add PLUM_TOKEN", "value of PLUM_TOKEN", ": "),
                step("nine purple plums", "kept 'PLUM_TOKEN'", "three> "),
                step(".vault", "PLUM_TOKEN", "three> "),
                step(".undo", "took the last exchange back", "three> "),
                step(".file " + file + " -- what is this?", "a note about apples", "three> "),
                step(".edit", "You said: written in an editor", "three> "),
                step(".undo", "took the last exchange back", "three> "),
                step(".regenerate", "what is this?", "three> "),
                step(".copy", "clipboard", "three> "),
                step(".compress session", "summar", "three> "),
                step("list the files in src", "▸ list", "three> "),
                step(".show", "main", "three> "),
                step("run `echo one`", "run shell", "]"),
                step(CTRL_C, ".approve lets it run", "three> "),
                step(".approve", "one", "three> "),
                step("run `echo two`", "run shell", "]"),
                step(CTRL_C, ".approve lets it run", "three> "),
                step(".deny not today", "not today", "three> "),
                step("count to 400 slowly", "1 2 3", "4"),
                step(CTRL_C, ".continue goes on", "three> "),
                step("say it again", "You said: say it again", "three> "),
                step(".fork four", "this is 'four' now, forked from 'three'", "four> "),
                step(".empty session", "begins afresh", "four> "),
                step(".exit session", "closed 'four'", "skein> "),
                step(".resume three", "'three': ", "three> "),
                step(".continue", "there is nothing to continue", "three> "),
                step(".delete four", "delete 'four' for good?", "[y/N] "),
                step("y", "deleted 'four'", "three> "),
                step(".quit", "", ""));
    }
}
