package dev.skein.server.setup;

import dev.skein.server.http.HttpFailure;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Which chats are heard: their ids, by the name of their channel. `*` stands for every chat of a channel.
public record ChannelRules(Map<String, Set<String>> chats) {

    public static final String EVERY = "*";

    /// Nobody is heard.
    public static final ChannelRules NONE = new ChannelRules(Map.of());

    public ChannelRules {
        var copy = new TreeMap<String, Set<String>>();
        chats.forEach((channel, allowed) -> copy.put(channel, Set.copyOf(allowed)));
        chats = Map.copyOf(copy);
    }

    /// Returns if this chat is heard.
    ///
    /// @throws HttpFailure if it is not
    public void require(String channel, String chat) {
        var allowed = chats.getOrDefault(channel, Set.of());
        if (!allowed.contains(EVERY) && !allowed.contains(chat)) {
            throw HttpFailure.unheard(channel, chat);
        }
    }
}
