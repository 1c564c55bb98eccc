package dev.skein.cli.repl;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/// The commands: a dot, one or two words, and what follows them. `docs/repl.md` has the same table.
enum Dot {
    HELP("help", "[COMMAND]", "List the commands, or explain one.", Needs.NOTHING),
    INFO("info", "", "Where you are: model, session, settings, providers.", Needs.NOTHING),
    MODEL("model", "[NAME]", "Ask another model from now on; without a name: say which one it is.", Needs.NOTHING),
    MODELS("models", "", "List the models that can be asked.", Needs.NOTHING),
    TOOLS("tools", "", "List the tools the model is offered.", Needs.NOTHING),
    MCP("mcp", "[reload]", "List the MCP servers and how they are; reload reads mcp.json again.", Needs.NOTHING),
    ROLE("role", "[NAME]", "Answer in this role from now on; without a name: list them.", Needs.NOTHING),
    INFO_ROLE("info role", "[NAME]", "What a role says; without a name: the one that is on.", Needs.NOTHING),
    EXIT_ROLE("exit role", "", "Answer in no role any more.", Needs.NOTHING),
    AGENT(
            "agent",
            "[NAME]",
            "Let this agent answer, in sessions of its own; without a name: list them.",
            Needs.NOTHING),
    INFO_AGENT("info agent", "[NAME]", "What an agent is; without a name: the one that answers.", Needs.NOTHING),
    STARTER("starter", "[NUMBER]", "What one might say to the agent first; with a number: say it.", Needs.NOTHING),
    EXIT_AGENT("exit agent", "", "Let no agent answer any more.", Needs.NOTHING),
    PROMPT(
            "prompt",
            "[TEXT]",
            "Tell the model its task, as long as this sitting lasts; nothing: no more.",
            Needs.NOTHING),
    SET("set", "[KEY VALUE]", "Change a setting, 'default' takes it back; without one: list them.", Needs.NOTHING),
    SESSION(
            "session",
            "[NAME|UUID]",
            "Open a session, made if there is none of this name; no name: a new one.",
            Needs.NOTHING),
    RESUME("resume", "[NAME|UUID]", "Take a session up again; without a name: choose one.", Needs.NOTHING),
    INFO_SESSION("info session", "[NAME]", "The facts about a session, and what was said last.", Needs.NOTHING),
    SAVE_SESSION("save session", "NAME", "Give the session a name. Its id stays.", Needs.SESSION),
    RENAME("rename", "NAME", "The same, shorter.", Needs.SESSION),
    EMPTY_SESSION("empty session", "", "Begin the conversation afresh. What was said stays kept.", Needs.SESSION),
    COMPRESS_SESSION("compress session", "", "Show the model the older part as a summary.", Needs.SESSION),
    EXIT_SESSION("exit session", "", "Close the session. The next thing you say begins a new one.", Needs.SESSION),
    FORK("fork", "[NAME]", "Go on in a copy that shares what was said so far.", Needs.SESSION),
    DELETE("delete", "[NAME|UUID]", "Delete a session for good; without a name: the open one.", Needs.NOTHING),
    TREE("tree", "", "Draw the loops of the session.", Needs.SESSION),
    SEARCH("search", "TEXT", "Find messages in all sessions.", Needs.NOTHING),
    RAG("rag", "[NAME]", "Answer from these documents from now on; without a name: say which.", Needs.NOTHING),
    SOURCES_RAG("sources rag", "", "The passages the last answer was given.", Needs.WORDS),
    REBUILD_RAG("rebuild rag", "", "Read the documents again that changed.", Needs.NOTHING),
    EXIT_RAG("exit rag", "", "Answer without documents again.", Needs.NOTHING),
    MACRO("macro", "[NAME [ARGUMENT...]]", "Do what a macro says; without a name: list them.", Needs.NOTHING),
    VAULT(
            "vault",
            "[list|add|get|update|delete] [NAME]",
            "Secrets that settings name as {{NAME}}; without a word: list them.",
            Needs.NOTHING),
    FILE(
            "file",
            "FILE... [-- TEXT]",
            "Say something together with files, pictures or pages (http, https).",
            Needs.NOTHING),
    EDIT("edit", "[TEXT]", "Write what you want to say in your editor ($VISUAL, $EDITOR).", Needs.NOTHING),
    CONTINUE("continue", "", "Go on where the last answer stopped.", Needs.WORDS),
    REGENERATE("regenerate", "", "Try the last prompt again, beside the answer it got.", Needs.WORDS),
    UNDO("undo", "", "Take the last exchange back. Nothing is deleted.", Needs.WORDS),
    APPROVE("approve", "[CALL] [ANSWER]", "Let the tool calls run that wait, or answer a question.", Needs.WAITING),
    DENY("deny", "[CALL] [REASON]", "Do not let them run.", Needs.WAITING),
    SHOW("show", "[NUMBER]", "Unfold what the tools of the last turn answered.", Needs.NOTHING),
    COPY("copy", "", "Copy the last answer, if the terminal lets programs do that (OSC 52).", Needs.NOTHING),
    EXIT("exit", "", "Leave. Also: .quit, Ctrl-D, Ctrl-C twice.", Needs.NOTHING),
    QUIT("quit", "", "The same.", Needs.NOTHING);

    /// What must be there.
    enum Needs {
        NOTHING,
        /// An open session.
        SESSION,
        /// An open session in which something was said.
        WORDS,
        /// A tool call that waits for a person.
        WAITING
    }

    final String words;
    final String arguments;
    final String summary;
    final Needs needs;

    Dot(String words, String arguments, String summary, Needs needs) {
        this.words = words;
        this.arguments = arguments;
        this.summary = summary;
        this.needs = needs;
    }

    /// As it is typed.
    String typed() {
        return "." + words;
    }

    /// A command and what follows it.
    record Call(Dot dot, String rest) {}

    /// The command that a line begins with: `.info session` rather than `.info`.
    static Optional<Call> in(String line) {
        return Arrays.stream(values())
                .filter(dot -> line.equals(dot.typed()) || line.startsWith(dot.typed() + " "))
                .max(Comparator.comparingInt(dot -> dot.words.length()))
                .map(dot -> new Call(dot, line.substring(dot.typed().length()).strip()));
    }
}
