package dev.skein.server.setup;

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

    public boolean hears(String channel, String chat) {
        var allowed = chats.getOrDefault(channel, Set.of());
        return allowed.contains(EVERY) || allowed.contains(chat);
    }
}
