package dev.skein.exchange.imports;

import dev.skein.message.Usage;
import dev.skein.session.LoopId;
import dev.skein.session.SessionEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Loops of phi-core that tried the same prompt side by side, and the one that was chosen.
record PhiGroup(List<LoopId> members, LoopId selected, int selectedIndex, Usage evaluation) {

    /// The group of a loop, taken from its fields. If a member is not in the file, the fields stay where they are.
    static @Nullable PhiGroup of(Fields loop, Set<LoopId> present) {
        if (!loop.rest().path("parallel_group").isObject()) {
            return null;
        }
        var group = Fields.of(loop.rest().get("parallel_group"), loop.source(), "'parallel_group'");
        var members = new ArrayList<LoopId>();
        group.list("all_loop_ids").forEach(id -> members.add(loop(id.asString(""))));
        var selected = loop(group.text("selected_loop_id", ""));
        if (!present.containsAll(members) || !members.contains(selected)) {
            return null;
        }
        loop.drop("parallel_group");
        var used = group.object("evaluation_usage");
        return new PhiGroup(
                members,
                selected,
                (int) group.count("selected_config_index"),
                used == null ? Usage.NONE : PhiMessages.usage(used));
    }

    private static LoopId loop(String id) {
        return new LoopId(id.isBlank() ? "?" : id);
    }

    SessionEvent ended(Instant at) {
        return new SessionEvent.ParallelEnded(at, members, selected, selectedIndex, evaluation);
    }
}
