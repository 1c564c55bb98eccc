package dev.skein.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Part;
import dev.skein.message.Role;

/// What must hold for every view of every session.
final class Views {

    private Views() {}

    /// No result at the start; every call is followed by its results, each once and in order; a result always has
    /// its call; a suffix of the whole; no longer than asked for, unless it is one call with its results.
    static void assertValid(Session session, int max) {
        var view = session.context(max).messages();
        var whole = session.context(ContextView.ALL).messages();
        var calls = view.stream().filter(message -> message.role() != Role.TOOL).count();

        assertThat(whole.subList(whole.size() - view.size(), whole.size())).isEqualTo(view);
        assertThat(view.size() <= max || calls == 1)
                .as("%d messages, %d asked for", view.size(), max)
                .isTrue();
        assertThat(whole.isEmpty() || !view.isEmpty()).isTrue();
        for (int i = 0; i < view.size(); ) {
            var message = view.get(i++);
            assertThat(message.role()).isNotEqualTo(Role.TOOL);
            var asked = message.toolCalls().stream()
                    .map(Part.ToolCall::id)
                    .distinct()
                    .toList();
            for (var call : asked) {
                assertThat(view.get(i++).toolResults())
                        .extracting(Part.ToolResult::call)
                        .containsExactly(call);
            }
        }
    }
}
