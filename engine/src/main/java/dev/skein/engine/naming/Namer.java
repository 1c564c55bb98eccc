package dev.skein.engine.naming;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Message;
import dev.skein.message.Role;
import java.util.List;
import java.util.stream.Collectors;

/// Finds words for what a conversation is about.
public interface Namer {

    /// A few words; whatever is not allowed in an alias is taken out of them later. Blank if nothing comes to mind.
    ///
    /// @throws dev.skein.failure.ModelFailed if a model was asked and failed
    String name(List<Message> beginning, Cancellation cancellation);

    /// How many words a name has at most.
    int WORDS_MAX = 6;

    /// The first words of the first prompt. Needs no model.
    Namer FIRST_WORDS = (beginning, _) -> beginning.stream()
            .filter(message -> message.role() == Role.USER)
            .map(Message::text)
            .filter(text -> !text.isBlank())
            .findFirst()
            .map(text -> text.strip()
                    .lines()
                    .flatMap(line -> List.of(line.strip().split("\\s+")).stream())
                    .limit(WORDS_MAX)
                    .collect(Collectors.joining(" ")))
            .orElse("");
}
