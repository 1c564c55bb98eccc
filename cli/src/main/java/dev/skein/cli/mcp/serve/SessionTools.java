package dev.skein.cli.mcp.serve;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.session.Names;
import dev.skein.message.Excerpt;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.store.ListQuery;
import dev.skein.store.SearchHit;
import dev.skein.store.SearchQuery;
import dev.skein.store.SessionSummary;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Schema;
import dev.skein.tools.mcp.server.ServedTool;
import dev.skein.wire.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a client can look at. Changes nothing.
record SessionTools(Program program) {

    private static final int LIMIT = 20;
    private static final int LIMIT_MAX = 500;
    private static final int TEXT_MAX = 20_000;
    private static final String NAME = "A name, a UUID, or its first 6 or more digits.";

    private record Listing(
            List<SessionSummary> sessions, @Nullable String nextCursor) {}

    private record Hits(List<SearchHit> hits) {}

    private record Shown(SessionSummary session, List<Said> messages) {}

    /// A message without what only machines read.
    private record Said(Role role, Instant at, String text, List<String> toolCalls) {
        static Said of(Message message) {
            return new Said(
                    message.role(),
                    message.at(),
                    Excerpt.of(message.text(), TEXT_MAX),
                    message.toolCalls().stream()
                            .map(call -> Excerpt.of(call.name() + " " + call.arguments(), TEXT_MAX))
                            .toList());
        }
    }

    ServedTool list() {
        var schema = Schema.requiring()
                .text("text", "Only sessions with this in their name, description or first message.")
                .number("limit", "At most so many, up to " + LIMIT_MAX + " (default: " + LIMIT + ").")
                .text("cursor", "Goes on after the page that ended with this next_cursor.");
        return tool("list_sessions", "Lists sessions, the last used first.", schema, (arguments, _, _) -> {
            var page = program.store()
                    .list(ListQuery.of(program.scope())
                            .withText(arguments.optionalText("text").orElse(null))
                            .withLimit(arguments.number("limit", LIMIT, 1, LIMIT_MAX))
                            .after(arguments.optionalText("cursor").orElse(null)));
            return answered(new Listing(page.sessions(), page.nextCursor()));
        });
    }

    ServedTool search() {
        var schema = Schema.requiring("text")
                .text("text", "What to find. Upper and lower case are the same.")
                .number("limit", "At most so many, up to " + LIMIT_MAX + " (default: " + LIMIT + ").");
        return tool("search_sessions", "Finds messages in all sessions.", schema, (arguments, _, cancellation) -> {
            var agents = ListQuery.of(program.scope()).agents();
            var query = SearchQuery.of(program.owner(), arguments.text("text"))
                    .withLimit(arguments.number("limit", LIMIT, 1, LIMIT_MAX));
            var hits = new ArrayList<SearchHit>();
            program.store().search(program.scope().agent() == null ? query : query.withAgents(agents), hit -> {
                cancellation.check();
                hits.add(hit);
            });
            return answered(new Hits(hits));
        });
    }

    ServedTool read() {
        var schema = Schema.requiring("session")
                .text("session", NAME)
                .number("messages", "The newest so many, up to " + LIMIT_MAX + " (default: " + LIMIT + ").");
        return tool("read_session", "Shows what was said last in a session.", schema, (arguments, _, _) -> {
            var wanted = arguments.number("messages", LIMIT, 1, LIMIT_MAX);
            try (var session = new Names(program).open(arguments.text("session"))) {
                var said = session.context(wanted).messages().stream()
                        .map(Said::of)
                        .toList();
                return answered(new Shown(SessionSummary.of(session.state()), said));
            }
        });
    }

    private static ServedTool tool(String name, String description, Schema schema, ServedTool.Action action) {
        return new ServedTool(
                new ToolSpec(name, description, schema.json(), ToolSpec.Repeat.SAFE, ToolSpec.Effect.READS),
                worded(action));
    }

    /// What the command line says about a mistake helps a client, too.
    static ServedTool.Action worded(ServedTool.Action action) {
        return (arguments, progress, cancellation) -> {
            try {
                return action.act(arguments, progress, cancellation);
            } catch (CommandFailure e) {
                return ToolOutcome.Failed.because(e);
            }
        };
    }

    static ToolOutcome answered(Object value) {
        var json = Json.MAPPER.valueToTree(value);
        return new ToolOutcome.Answered(List.of(new Part.Text(json.toString())), json, null);
    }
}
