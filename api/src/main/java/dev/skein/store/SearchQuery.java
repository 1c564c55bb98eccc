package dev.skein.store;

import dev.skein.failure.InvalidRequest;

/// Which messages to find: those that contain `text`, whatever its case.
public record SearchQuery(String owner, ListQuery.Agents agents, String text, int limit) {

    public SearchQuery {
        if (text.isBlank()) {
            throw new InvalidRequest("give a text to search for");
        }
        if (limit < 1 || limit > ListQuery.LIMIT_MAX) {
            throw new InvalidRequest("a search gives 1 to " + ListQuery.LIMIT_MAX + " hits, not " + limit);
        }
    }

    public static SearchQuery of(String owner, String text) {
        return new SearchQuery(owner, new ListQuery.Agents.Any(), text, 50);
    }

    public SearchQuery withLimit(int newLimit) {
        return new SearchQuery(owner, agents, text, newLimit);
    }

    public SearchQuery withAgents(ListQuery.Agents newAgents) {
        return new SearchQuery(owner, newAgents, text, limit);
    }
}
