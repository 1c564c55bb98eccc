package dev.skein.cli.mcp.serve;

import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.message.Excerpt;
import java.util.function.Consumer;

/// Tells a client how far a run is, in few words: what an answer of thousands of fragments says comes in pieces.
final class ProgressEmitter implements Emitter {

    private static final int PIECE = 400;
    private static final int WORDS_MAX = 500;

    private final Consumer<String> progress;
    private final StringBuilder spoken = new StringBuilder();

    ProgressEmitter(Consumer<String> progress) {
        this.progress = progress;
    }

    @Override
    public synchronized void emit(LiveEvent event) {
        switch (event.body()) {
            case LiveEvent.Started _ -> progress.accept("started");
            case LiveEvent.AssistantDelta(var text) -> {
                spoken.append(text);
                if (spoken.length() >= PIECE) {
                    flush();
                }
            }
            case LiveEvent.AssistantMessageEnd _ -> flush();
            case LiveEvent.ToolCall(var call) -> say("calls " + call.name() + " " + call.arguments());
            case LiveEvent.ToolResult(var result) -> say(result.name() + (result.isError() ? " failed" : " answered"));
            case LiveEvent.ApprovalRequired(var call, var _) -> say(call.name() + " waits for a person's yes");
            case LiveEvent.SessionCompressing _ -> say("summarising the conversation");
            case LiveEvent.Warning(var text) -> say("warning: " + text);
            case LiveEvent.Noted(var text) -> say(text);
            case LiveEvent.AutoContinueTriggered(var count) -> say("goes on by itself, for the " + count + ". time");
            case LiveEvent.ThinkingDelta _,
                    LiveEvent.SessionCompressed _,
                    LiveEvent.SessionAutonamed _,
                    LiveEvent.Finished _,
                    LiveEvent.Failed _ -> {}
        }
    }

    private void say(String words) {
        flush();
        progress.accept(Excerpt.of(words, WORDS_MAX));
    }

    private void flush() {
        if (!spoken.isEmpty()) {
            progress.accept(Excerpt.of(spoken.toString(), WORDS_MAX));
            spoken.setLength(0);
        }
    }
}
