package dev.skein.cli.repl;

import dev.skein.cli.chat.Attachments;
import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.engine.Approvals;
import dev.skein.failure.StorageFailed;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.LoopStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// The commands that say something, decide something, or look at what was said.
final class TalkDots {

    private static final String BY = "the terminal";
    private static final MessageId ANY = new MessageId("shown");

    /// What the strictest of the common terminals takes at once.
    private static final int COPY_BYTES_MAX = 74_000;

    private final Program program;
    private final Desk desk;
    private final Turn turn;

    TalkDots(Program program, Desk desk, Turn turn) {
        this.program = program;
        this.desk = desk;
        this.turn = turn;
    }

    void file(String rest) {
        var dashes = (" " + rest + " ").indexOf(" -- ");
        var names = dashes < 0 ? rest : rest.substring(0, Math.min(dashes, rest.length()));
        var text = dashes < 0 || dashes + 3 > rest.length()
                ? ""
                : rest.substring(dashes + 3).strip();
        if (names.isBlank()) {
            throw CommandFailure.usage("'.file' needs a file; write .file FILE... -- TEXT");
        }
        var attachments = new Attachments(program.terminal(), program.ai().fetch());
        var parts = new ArrayList<Part>();
        for (var name : names.strip().split("\\s+")) {
            if (name.equals("-")) {
                throw CommandFailure.usage("'-' is the keyboard here; name a file");
            }
            parts.add(attachments.load(name));
        }
        if (!text.isEmpty()) {
            parts.add(new Part.Text(text));
        }
        turn.say(parts);
    }

    /// What the editor leaves in the file is said. Until it was, the file stays.
    void edit(String draft) {
        var editor = program.variable("VISUAL")
                .or(() -> program.variable("EDITOR"))
                .orElseThrow(() ->
                        CommandFailure.usage("'.edit' needs an editor; set VISUAL or EDITOR, for example EDITOR=nano"));
        try {
            var file = Files.createTempFile("skein-prompt", ".md");
            var before = desk.work().loops();
            try {
                Files.writeString(file, draft);
                launch(editor, file);
                var text = written(file);
                if (text.isEmpty()) {
                    say("nothing was written, so nothing was said");
                } else {
                    turn.say(List.of(new Part.Text(text)));
                }
            } finally {
                // A prompt that is refused is not in the session, though its loop is.
                var isTaken = desk.work().loops() > before && desk.lastStatus != LoopStatus.REJECTED;
                if (isTaken || written(file).isEmpty()) {
                    Files.deleteIfExists(file);
                } else {
                    say("what you wrote is in " + file);
                }
            }
        } catch (IOException e) {
            throw StorageFailed.io("edit a prompt", e);
        }
    }

    /// Not every editor writes UTF-8: what is not is replaced.
    private static String written(Path file) throws IOException {
        return Files.exists(file) ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip() : "";
    }

    private static void launch(String editor, Path file) throws IOException {
        try {
            var code = new ProcessBuilder("sh", "-c", editor + " \"$1\"", "sh", file.toString())
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw CommandFailure.usage("the editor '" + editor + "' ended with " + code + "; nothing was said");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw CommandFailure.usage("interrupted while the editor was open; nothing was said");
        }
    }

    void undo() {
        program.ai().engine().undo(desk.session());
        say("took the last exchange back; .tree still shows it");
    }

    /// The first word may name a call; the rest is the answer, or the reason.
    void decide(String rest, boolean approved) {
        var session = desk.session();
        var waiting = Approvals.waiting(session);
        var words = rest.split("\\s+", 2);
        var named = waiting.stream()
                .filter(candidate -> candidate.call().text().equals(words[0]))
                .toList();
        var note = named.isEmpty() ? rest : words.length > 1 ? words[1] : "";
        for (var call : named.isEmpty() ? waiting : named) {
            desk.work().decide(session, call.call(), approved, BY, note.isEmpty() ? null : note);
        }
        var left = Approvals.waiting(session);
        if (left.isEmpty()) {
            turn.goOn();
        } else {
            say("still waiting: "
                    + left.stream()
                            .map(call -> call.call() + " (" + call.name() + ")")
                            .toList());
        }
    }

    void show(String number) {
        var uses = desk.lastTools;
        if (uses.isEmpty()) {
            throw CommandFailure.usage("no tool ran in the last turn; there is nothing to unfold");
        }
        if (!number.isEmpty() && !number.matches("[1-9][0-9]{0,3}")) {
            throw CommandFailure.usage("'" + number + "' is no number; .show 1 unfolds the first call");
        }
        if (!number.isEmpty() && Integer.parseInt(number) > uses.size()) {
            throw CommandFailure.usage("there were " + uses.size() + " calls, not " + number);
        }
        var chosen = number.isEmpty() ? uses : List.of(uses.get(Integer.parseInt(number) - 1));
        var terminal = program.terminal();
        for (var use : chosen) {
            terminal.line(terminal.paint(
                    Style.BOLD,
                    terminal.stored(use.call().name() + " " + use.call().arguments())));
            terminal.line(terminal.storedBlock(Message.of(ANY, Role.TOOL, Instant.EPOCH, use.result())
                    .text()
                    .stripTrailing()));
        }
    }

    void copy() {
        var bytes = desk.lastAnswer.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0) {
            throw CommandFailure.usage("there is no answer to copy yet; ask something first");
        }
        var encoded = Base64.getEncoder().encodeToString(bytes);
        if (encoded.length() > COPY_BYTES_MAX) {
            throw CommandFailure.usage("the answer is too long for a terminal's clipboard;"
                    + " 'skein session export' writes it into a file");
        }
        program.terminal().out().print("\u001b]52;c;" + encoded + "\u0007");
        say("handed %,d characters to the terminal's clipboard (OSC 52; some terminals ask or refuse)"
                .formatted(desk.lastAnswer.length()));
    }

    private void say(String text) {
        program.terminal().line(program.terminal().stored(text));
    }
}
