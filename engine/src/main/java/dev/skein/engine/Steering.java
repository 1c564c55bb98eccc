package dev.skein.engine;

import dev.skein.engine.Companions.Heard;
import dev.skein.message.Part;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/// What a person says while a run goes on.
///
/// A steering message is heard before the model is asked the next time, a follow-up when it would come to rest; then
/// the run goes on. What was not heard when a run ended, or could not be recorded, stays here. Safe for use by many
/// threads.
public final class Steering {

    private final Deque<Heard> steering = new ArrayDeque<>();
    private final Deque<Heard> followUps = new ArrayDeque<>();

    public void steer(String text) {
        steer(List.of(new Part.Text(text)));
    }

    public void steer(List<Part> parts) {
        steer(new Heard(parts, Map.of()));
    }

    /// With what the journal is to keep beside it.
    public synchronized void steer(Heard said) {
        steering.add(said);
    }

    public void followUp(String text) {
        followUp(List.of(new Part.Text(text)));
    }

    public synchronized void followUp(List<Part> parts) {
        followUps.add(new Heard(parts, Map.of()));
    }

    /// Everything that was said and not heard.
    public synchronized List<List<Part>> unheard() {
        var all = new ArrayList<>(steering);
        all.addAll(followUps);
        return all.stream().map(Heard::parts).toList();
    }

    /// What was taken to be recorded: nobody else hears it.
    final class Taken {

        private final Deque<Heard> from;
        private final List<Heard> said;

        private Taken(Deque<Heard> from, List<Heard> said) {
            this.from = from;
            this.said = said;
        }

        List<Heard> said() {
            return said;
        }

        /// It could not be recorded: it is heard later, before all that was said since.
        void giveBack() {
            synchronized (Steering.this) {
                said.reversed().forEach(from::addFirst);
            }
        }
    }

    /// Everything that is to be heard before the next turn.
    synchronized Taken beforeNextTurn() {
        var all = List.copyOf(steering);
        steering.clear();
        return new Taken(steering, all);
    }

    /// What keeps the run from coming to rest: one thing, or nothing. Nobody said it too late to steer.
    synchronized Taken beforeRest() {
        var from = steering.isEmpty() ? followUps : steering;
        var first = from.poll();
        return new Taken(from, first == null ? List.of() : List.of(first));
    }
}
