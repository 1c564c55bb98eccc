package dev.skein.engine;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Part;
import dev.skein.session.LoopPointer;
import dev.skein.tool.ToolOutcome.Waits.Ask;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/// Those who work beside a run, in the background: a run does not rest before they do.
public interface Companions {

    /// Nobody.
    Companions NONE = (_, _, _, _) -> Company.NONE;

    /// Brings them together when a loop begins or goes on.
    ///
    /// @param notes hears what a person may like to know
    Company join(RequestContext context, LoopPointer loop, Consumer<String> notes, Cancellation cancellation);

    /// The companions of one run, as long as it lasts. Safe for use by many threads.
    interface Company extends AutoCloseable {

        Company NONE = new Company() {
            @Override
            public boolean isAlone() {
                return true;
            }

            @Override
            public List<Heard> news() {
                return List.of();
            }

            @Override
            public Rest beforeRest(Cancellation cancellation) {
                return new Rest.Now();
            }

            @Override
            public void close() {}
        };

        /// Whether a run may rest without asking.
        boolean isAlone();

        /// What the model should hear before it is asked the next time.
        List<Heard> news();

        /// Asked when a run would rest. Waits until that may be, or until there is something to hear.
        Rest beforeRest(Cancellation cancellation) throws InterruptedException;

        /// Ends whoever still works.
        @Override
        void close();
    }

    /// Something said to the model, and what the journal keeps with it.
    record Heard(List<Part> parts, Map<String, JsonNode> metadata) {
        public Heard {
            parts = List.copyOf(parts);
        }
    }

    /// What a run that would rest is to do.
    sealed interface Rest {
        /// It rests.
        record Now() implements Rest {}

        /// It goes on, having heard this.
        record GoOn(List<Heard> heard) implements Rest {}

        /// It waits for a person, who is asked for somebody else.
        record Wait(List<Ask> asks) implements Rest {}
    }
}
