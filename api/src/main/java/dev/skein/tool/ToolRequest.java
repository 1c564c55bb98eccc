package dev.skein.tool;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.LoopId;
import dev.skein.session.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One call of a tool: the model's own words, where it was made, whom to tell how far it has come, how it is linked
/// with a sub-agent it starts, and what was said before it.
public record ToolRequest(
        Part.ToolCall call,
        SessionId session,
        LoopId loop,
        Consumer<String> progress,
        Child child,
        Supplier<List<Message>> conversation,
        Person person) {

    /// A request of a tool that asks nobody.
    public ToolRequest(
            Part.ToolCall call,
            SessionId session,
            LoopId loop,
            Consumer<String> progress,
            Child child,
            Supplier<List<Message>> conversation) {
        this(call, session, loop, progress, child, conversation, Person.NOBODY);
    }

    /// Who decides what tools want to know in the middle of a call.
    ///
    /// @param isThere whether anybody can be asked, be it later
    /// @param answers what was decided about [ToolOutcome.Waits.Ask#inTheMiddleOf], in the order it was asked
    public record Person(boolean isThere, List<Answer> answers) {
        public static final Person NOBODY = new Person(false, List.of());

        public Person {
            answers = List.copyOf(answers);
        }
    }

    /// What a person decided, and said about it.
    public record Answer(boolean approved, @Nullable String words) {}

    /// A request of a tool that starts no sub-agent.
    public static ToolRequest of(Part.ToolCall call, SessionId session, LoopId loop) {
        return new ToolRequest(call, session, loop, _ -> {}, Child.NONE, List::of);
    }

    /// The sub-agent that works for a call.
    public interface Child {

        /// The one that an earlier try of the same call started, before a crash or a cancellation.
        Optional<ChildLoopRef> started();

        /// Says that one is about to start. That is durable when this returns.
        void start(ChildLoopRef ref);

        /// For calls that cannot have one.
        Child NONE = new Child() {
            @Override
            public Optional<ChildLoopRef> started() {
                return Optional.empty();
            }

            @Override
            public void start(ChildLoopRef ref) {
                throw new IllegalStateException("no sub-agent can be started here");
            }
        };
    }
}
