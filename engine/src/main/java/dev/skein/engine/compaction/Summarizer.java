package dev.skein.engine.compaction;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Message;
import java.util.List;

/// Says in few words what a conversation was about.
public interface Summarizer {

    String summarize(List<Message> messages, Cancellation cancellation);
}
