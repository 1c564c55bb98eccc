package dev.skein.tools.todo;

import dev.skein.tools.call.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Things to do, in order. `revision` counts the calls that led here.
record TodoList(long revision, List<Item> items) {

    static final int ITEMS_MAX = 200;
    private static final int CHARS_MAX = 1000;

    static final TodoList EMPTY = new TodoList(0, List.of());

    TodoList {
        items = List.copyOf(items);
    }

    record Item(String text, boolean done) {}

    /// The list that `json` spells, if it spells one.
    static Optional<TodoList> read(JsonNode json) {
        if (!json.path("revision").canConvertToLong() || !json.path("items").isArray()) {
            return Optional.empty();
        }
        var items = new ArrayList<Item>();
        for (var item : json.path("items")) {
            items.add(new Item(item.path("text").asString(""), item.path("done").asBoolean(false)));
        }
        return Optional.of(new TodoList(json.path("revision").longValue(), items));
    }

    ObjectNode json() {
        var json = JsonNodeFactory.instance.objectNode().put("revision", revision);
        var array = json.putArray("items");
        items.forEach(item -> array.addObject().put("text", item.text()).put("done", item.done()));
        return json;
    }

    String text() {
        if (items.isEmpty()) {
            return "Nothing to do.";
        }
        var text = new StringBuilder();
        for (int i = 0; i < items.size(); i++) {
            text.append(items.get(i).done() ? "[x] " : "[ ] ").append(i + 1).append(". ");
            text.append(items.get(i).text()).append('\n');
        }
        return text.toString();
    }

    /// With these at the end, except those that are open already.
    TodoList added(List<String> texts) {
        var all = new ArrayList<>(items);
        for (var text : texts) {
            if (text.isBlank() || text.length() > CHARS_MAX) {
                throw new Refused("an item is empty or longer than " + CHARS_MAX + " characters");
            }
            var item = new Item(text.strip(), false);
            if (!all.contains(item)) {
                all.add(item);
            }
        }
        if (all.size() > ITEMS_MAX) {
            throw new Refused("the list would have more than " + ITEMS_MAX + " items; clear it or begin a new one");
        }
        return new TodoList(revision, all);
    }

    TodoList done(int number) {
        if (number < 1 || number > items.size()) {
            throw new Refused("there is no item " + number + "; the list has " + items.size());
        }
        var all = new ArrayList<>(items);
        all.set(number - 1, new Item(items.get(number - 1).text(), true));
        return new TodoList(revision, all);
    }

    TodoList cleared() {
        return new TodoList(revision, List.of());
    }

    TodoList after(TodoList before) {
        return new TodoList(before.revision() + 1, items);
    }
}
