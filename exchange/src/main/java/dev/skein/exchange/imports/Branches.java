package dev.skein.exchange.imports;

import dev.skein.exchange.history.History;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.CompactionBlock;
import dev.skein.session.CompactionBlock.BlockPointer;
import dev.skein.session.Ids;
import dev.skein.session.LoopId;
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
/// parent, if that is the one that was told last. A prompt that follows the middle of a loop gets a loop of its own
/// that
/// begins like that one. All is told in the order of the file, so that a file that went on begins as it did.
///
/// Not safe for use by several threads.
final class Branches {

    private final Ids ids;
    private final Map<String, Place> places = new HashMap<>();
    private final List<Step> steps = new ArrayList<>();
    private @Nullable Branch newest;
    private @Nullable Branch last;

    Branches(Ids ids) {
        this.ids = ids;
    }

    /// One loop, before it is written down.
    private static final class Branch {

        private final LoopId id;
        private final @Nullable Branch parent;
        private final List<Message> messages = new ArrayList<>();
        private boolean answered;
        private int parts;
        private @Nullable LoopPointer pointer;

        Branch(LoopId id, @Nullable Branch parent) {
            this.id = id;
            this.parent = parent;
        }
    }

    /// After so many messages of a loop.
    private record Place(Branch branch, int messages) {}

    /// What the file tells, in its order.
    private sealed interface Step {

        /// The next message of a loop.
        record Said(Branch branch, int index) implements Step {
            Message message() {
                return branch.messages.get(index);
            }
        }

        /// Something that is no message.
        record Noted(SessionEvent event) implements Step {}

        /// What comes next follows another loop.
        record Moved(Branch to) implements Step {}

        /// What stands for all up to a loop.
        record Summary(String id, Branch until, Message words) implements Step {}
    }

    /// Adds a node of the tree. Without messages it is only a step between others.
    void add(String id, @Nullable String parent, List<Message> messages) {
        var place = parent == null ? null : places.get(parent);
        for (var message : messages) {
            place = place(place, message);
        }
        if (place != null) {
            places.put(id, place);
            if (messages.isEmpty() && place.branch != last) {
                steps.add(new Step.Moved(place.branch));
            }
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

    /// The message of a node, if it is the newest of the loop that was told last.
    @Nullable
    Message newest(String id) {
        var place = places.get(id);
        return place == null || place.branch != newest || place.messages != place.branch.messages.size()
                ? null
                : place.branch.messages.getLast();
    }

    /// Adds something that is no message, after the loop that is being told.
    void note(SessionEvent event) {
        steps.add(new Step.Noted(event));
    }

    /// From here on a model sees these words instead of what was said before the loop that `firstKept` is in.
    /// False if there is nothing before it.
    boolean summarise(String id, String firstKept, Message words) {
        var place = places.get(firstKept);
        if (place == null || place.branch.parent == null) {
            return false;
        }
        steps.add(new Step.Summary(id, place.branch.parent, words));
        return true;
    }

    /// Leaves out the newest message if it is an answer to which more may be added: one that calls tools of which none
    /// has answered, or has nothing to say yet.
    void leaveOutUnfinished() {
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (steps.get(i) instanceof Step.Said said) {
                if (isUnfinished(said.message())) {
                    steps.remove(i);
                }
                return;
            }
        }
    }

    /// Whether more may be added to an answer.
    static boolean isUnfinished(Message message) {
        return message.role() == Role.ASSISTANT && isUnfinished(message.parts());
    }

    static boolean isUnfinished(List<Part> parts) {
        return parts.stream().anyMatch(Part.ToolCall.class::isInstance)
                || parts.stream().allMatch(Part.Thinking.class::isInstance);
    }

    /// Messages that follow each other in one loop, and what came with them.
    private record Passage(Branch branch, List<Message> messages, List<Step> after) {}

    /// Writes all down. What comes next follows the loop that was added to last.
    void tell(History history) {
        BlockPointer block = null;
        for (var passage : passages(history)) {
            if (!passage.messages.isEmpty()) {
                tell(history, passage.branch, passage.messages);
            }
            for (var step : passage.after) {
                switch (step) {
                    case Step.Noted noted -> history.note(noted.event);
                    case Step.Moved moved -> goTo(history, moved.to);
                    case Step.Summary summary -> block = summarise(history, summary, block);
                    case Step.Said _ -> throw new IllegalStateException("messages come first");
                }
            }
        }
    }

    /// A loop ends where it ended in an earlier import, and goes on as one that follows it.
    private List<Passage> passages(History history) {
        var passages = new ArrayList<Passage>();
        var current = new Passage(new Branch(ids.loop(), null), new ArrayList<>(), new ArrayList<>());
        passages.add(current);
        for (var step : steps) {
            if (!(step instanceof Step.Said said)) {
                current.after.add(step);
                continue;
            }
            var ended = !current.messages.isEmpty() && history.endedWith(current.messages.getLast());
            if (said.branch != current.branch || ended) {
                current = new Passage(said.branch, new ArrayList<>(), new ArrayList<>());
                passages.add(current);
            }
            current.messages.add(said.message());
        }
        return passages;
    }

    private static void tell(History history, Branch branch, List<Message> messages) {
        var parent = branch.pointer != null ? branch.pointer : branch.parent == null ? null : branch.parent.pointer;
        branch.pointer = history.branch(History.continued(branch.id, branch.parts), parent, messages);
        branch.parts++;
    }

    /// A loop of which nothing was told is none to follow.
    private static void goTo(History history, Branch to) {
        if (to.pointer != null) {
            history.goOnFrom(to.pointer);
        }
    }

    private static @Nullable BlockPointer summarise(
            History history, Step.Summary summary, @Nullable BlockPointer newest) {
        var until = summary.until.pointer;
        if (until == null) {
            return newest;
        }
        var at = summary.words.at();
        var block = new CompactionBlock(summary.id, null, until, null, List.of(), List.of(summary.words), at, newest);
        return new BlockPointer(summary.id, history.set(new SessionEvent.CompactionBlockSet(at, block)));
    }

    private Place place(@Nullable Place after, Message message) {
        var prompts = message.role() != Role.ASSISTANT && message.role() != Role.TOOL;
        var branch = after == null ? null : after.branch;
        var open = branch != null && branch == newest && branch == last;
        if (after == null || branch == null || !open || (prompts && branch.answered)) {
            branch = begin(after);
        }
        say(branch, message);
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
        after.branch.messages.subList(0, after.messages).forEach(message -> say(branch, message));
        return branch;
    }

    private Branch begun(@Nullable Branch parent) {
        var branch = new Branch(ids.loop(), parent);
        newest = branch;
        last = branch;
        return branch;
    }

    private void say(Branch branch, Message message) {
        steps.add(new Step.Said(branch, branch.messages.size()));
        branch.messages.add(message);
        branch.answered |= message.role() == Role.ASSISTANT;
    }
}
