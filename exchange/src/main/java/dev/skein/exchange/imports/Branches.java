package dev.skein.exchange.imports;

import dev.skein.exchange.history.History;
import dev.skein.message.Message;
import dev.skein.message.Role;
import dev.skein.session.CompactionBlock;
import dev.skein.session.CompactionBlock.BlockPointer;
import dev.skein.session.LoopPointer;
import dev.skein.session.SessionEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A conversation that was kept as a tree of messages, each with its parent, as loops with theirs.
///
/// A prompt begins a loop, unless the one it follows has no answer yet; whatever answers belongs to the loop of its
/// parent.
/// A prompt that follows the middle of a loop gets a loop of its own that begins like that one.
///
/// Not safe for use by several threads.
final class Branches {

    private final Map<String, Place> places = new HashMap<>();
    private final List<Branch> branches = new ArrayList<>();
    private final List<Summary> summaries = new ArrayList<>();
    private final List<SessionEvent> notesBefore = new ArrayList<>();
    private @Nullable Branch last;

    /// One loop, before it is written down.
    private static final class Branch {

        private final @Nullable Branch parent;
        private final List<Message> messages = new ArrayList<>();
        private final List<SessionEvent> notes = new ArrayList<>();
        private boolean answered;
        private @Nullable LoopPointer pointer;

        Branch(@Nullable Branch parent) {
            this.parent = parent;
        }

        void add(Message message) {
            messages.add(message);
            answered |= message.role() == Role.ASSISTANT;
        }
    }

    /// After so many messages of a loop.
    private record Place(Branch branch, int messages) {}

    /// What stands for all before a loop.
    private record Summary(String id, Branch until, Message words) {}

    /// Adds a node of the tree. Without messages it is only a step between others.
    void add(String id, @Nullable String parent, List<Message> messages) {
        var place = parent == null ? null : places.get(parent);
        for (var message : messages) {
            place = place(place, message);
        }
        if (place != null) {
            places.put(id, place);
            last = place.branch;
        }
    }

    /// Replaces the newest message of a node's loop by one that says more.
    void replace(String id, Message message) {
        var place = places.get(id);
        if (place != null) {
            place.branch.messages.set(place.messages - 1, message);
        }
    }

    /// Whether a loop has this message as its newest.
    @Nullable
    Message newest(String id) {
        var place = places.get(id);
        return place == null || place.messages != place.branch.messages.size() ? null : place.branch.messages.getLast();
    }

    /// Adds something that is no message, after the loop that was added to last.
    void note(SessionEvent event) {
        (last == null ? notesBefore : last.notes).add(event);
    }

    /// From here on a model sees these words instead of what was said before the loop that `firstKept` is in.
    /// False if there is nothing before it.
    boolean summarise(String id, String firstKept, Message words) {
        var place = places.get(firstKept);
        if (place == null || place.branch.parent == null) {
            return false;
        }
        summaries.add(new Summary(id, place.branch.parent, words));
        return true;
    }

    /// Writes all down. What comes next follows the loop that was added to last.
    void tell(History history) {
        notesBefore.forEach(history::note);
        for (var branch : branches) {
            branch.pointer = history.branch(branch.parent == null ? null : branch.parent.pointer, branch.messages);
            branch.notes.forEach(history::note);
        }
        if (last != null && last.pointer != null) {
            history.goOnFrom(last.pointer);
        }
        BlockPointer newest = null;
        for (var summary : summaries) {
            var until = summary.until.pointer;
            if (until != null) {
                var at = summary.words.at();
                var block = new CompactionBlock(
                        summary.id, null, until, null, List.of(), List.of(summary.words), at, newest);
                newest = new BlockPointer(summary.id, history.set(new SessionEvent.CompactionBlockSet(at, block)));
            }
        }
    }

    private Place place(@Nullable Place after, Message message) {
        var prompts = message.role() != Role.ASSISTANT && message.role() != Role.TOOL;
        var branch = after == null ? null : after.branch;
        if (after == null || branch == null || (prompts && branch.answered)) {
            branch = begin(after);
        }
        branch.add(message);
        return new Place(branch, branch.messages.size());
    }

    private Branch begin(@Nullable Place after) {
        if (after == null) {
            return begun(null);
        }
        if (after.messages == after.branch.messages.size()) {
            return begun(after.branch);
        }
        var branch = begun(after.branch.parent);
        after.branch.messages.subList(0, after.messages).forEach(branch::add);
        return branch;
    }

    private Branch begun(@Nullable Branch parent) {
        var branch = new Branch(parent);
        branches.add(branch);
        return branch;
    }
}
