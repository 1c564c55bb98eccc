package dev.skein.engine;

import dev.skein.live.LiveEvent;
import dev.skein.model.ReplyFragment;
import dev.skein.redaction.RedactedStream;
import dev.skein.redaction.Redaction;

/// What a model says while it says it: told as it comes, kept for the case that it is cut off, and without the secrets
/// that are known. Used by one thread.
final class Utterance {

    private final Redaction redaction;
    private final RunLog log;
    private final StringBuilder said = new StringBuilder();
    private RedactedStream words;
    private RedactedStream thoughts;

    Utterance(Redaction redaction, RunLog log) {
        this.redaction = redaction;
        this.log = log;
        this.words = redaction.stream();
        this.thoughts = redaction.stream();
    }

    void hear(ReplyFragment fragment) {
        switch (fragment) {
            case ReplyFragment.Text(var text) -> say(words.add(text));
            case ReplyFragment.Thinking(var text) -> think(thoughts.add(text));
            case ReplyFragment.ToolArguments _ -> {}
        }
    }

    /// Tells what was held back, and returns all that was said.
    String end() {
        think(thoughts.rest());
        say(words.rest());
        return said.toString();
    }

    /// Another one begins.
    void forget() {
        said.setLength(0);
        words = redaction.stream();
        thoughts = redaction.stream();
    }

    private void say(String text) {
        if (!text.isEmpty()) {
            said.append(text);
            log.live(new LiveEvent.AssistantDelta(text));
        }
    }

    private void think(String text) {
        if (!text.isEmpty()) {
            log.live(new LiveEvent.ThinkingDelta(text));
        }
    }
}
