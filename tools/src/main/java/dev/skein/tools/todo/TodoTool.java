package dev.skein.tools.todo;

import static dev.skein.tool.ToolSpec.Effect.READS;
import static dev.skein.tool.ToolSpec.Repeat.SAFE;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.session.LoopId;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Arguments;
import dev.skein.tools.call.LocalTool;
import dev.skein.tools.call.Refused;
import dev.skein.tools.call.Schema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// A list of things to do, kept by the model for itself.
///
/// It has no store of its own: every result carries the whole list with a revision, and the list is the one with the
/// highest revision in the conversation. So it is as durable as the conversation, goes back when the conversation does,
/// and each branch has its own.
///
/// Calls made side by side do not see each other's results in the conversation yet, so the newest list of a loop is
/// also kept in memory. After a crash a call without a result is run again, on what the conversation has; adding what
/// is open already and finishing what is done changes nothing, so that is safe. It counts as reading because nothing
/// but the conversation changes. Safe for use by many threads.
public final class TodoTool {

    public static final String NAME = "todo";

    private static final int LOOPS_MAX = 64;

    private final Function<ToolRequest, List<Message>> conversation;
    private final Map<LoopId, TodoList> newest = new LinkedHashMap<>();

    private TodoTool(Function<ToolRequest, List<Message>> conversation) {
        this.conversation = conversation;
    }

    /// The tool for all sessions.
    ///
    /// @param conversation the messages from the root of the session to the loop of a call, also those that stand
    ///     behind a summary
    public static Tool over(Function<ToolRequest, List<Message>> conversation) {
        var todo = new TodoTool(conversation);
        return new LocalTool(
                new ToolSpec(
                        NAME,
                        "Keeps a list of things to do for this conversation. init begins a new list with items, add"
                                + " appends items, done marks one as done, list shows all, clear empties the list.",
                        Schema.requiring("action")
                                .choice("action", "What to do.", List.of("init", "add", "done", "list", "clear"))
                                .texts("items", "For init and add: what is to be done.")
                                .number("number", "For done: the number of the item, from 1 on.")
                                .json(),
                        SAFE,
                        READS),
                (arguments, request, _) -> todo.run(arguments, request));
    }

    private synchronized ToolOutcome run(Arguments arguments, ToolRequest request) {
        var before = current(request);
        var after = change(before, arguments);
        newest.put(request.loop(), after);
        if (newest.size() > LOOPS_MAX) {
            newest.remove(newest.keySet().iterator().next());
        }
        return new ToolOutcome.Answered(List.of(new Part.Text(after.text())), after.json(), null);
    }

    private TodoList current(ToolRequest request) {
        var lists = new ArrayList<TodoList>();
        for (var message : conversation.apply(request)) {
            var summarised = message.metadata().get(NAME);
            if (summarised != null) {
                TodoList.read(summarised.path("data")).ifPresent(lists::add);
            }
            for (var result : message.toolResults()) {
                if (result.name().equals(NAME) && !result.isError() && result.data() != null) {
                    TodoList.read(result.data()).ifPresent(lists::add);
                }
            }
        }
        lists.add(newest.getOrDefault(request.loop(), TodoList.EMPTY));
        return lists.stream().max(Comparator.comparingLong(TodoList::revision)).orElse(TodoList.EMPTY);
    }

    private static TodoList change(TodoList before, Arguments arguments) {
        return switch (arguments.text("action")) {
            case "init" -> before.cleared().added(items(arguments)).after(before);
            case "add" -> before.added(items(arguments)).after(before);
            case "done" ->
                before.done(arguments.number("number", 0, 1, TodoList.ITEMS_MAX))
                        .after(before);
            case "clear" -> before.cleared().after(before);
            case "list" -> before.after(before);
            case String other ->
                throw new Refused("there is no action '" + other + "'; use init, add, done, list or clear");
        };
    }

    private static List<String> items(Arguments arguments) {
        var items = arguments.texts("items");
        if (items.isEmpty()) {
            throw new Refused("the argument 'items' is missing; give it a list of texts");
        }
        return items;
    }
}
