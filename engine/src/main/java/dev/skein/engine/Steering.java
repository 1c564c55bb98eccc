package dev.skein.engine;

import dev.skein.engine.Companions.Heard;
import dev.skein.message.Part;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/// What a person says while a run goes on.
///
/// A steering message is heard before the model is asked the next time, a follow-up when it would come to rest; then
/// the run goes on. What was not heard when a run ended stays here. Safe for use by many threads.
public final class Steering {

    private final Queue<Heard> steering = new ArrayDeque<>();
    private final Queue<Heard> followUps = new ArrayDeque<>();

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

    /// Everything that is to be heard before the next turn.
    synchronized List<Heard> beforeNextTurn() {
        var all = List.copyOf(steering);
        steering.clear();
        return all;
    }

    /// What keeps the run from coming to rest. Nobody said it too late to steer.
    synchronized Optional<Heard> beforeRest() {
        var late = steering.poll();
        return Optional.ofNullable(late != null ? late : followUps.poll());
    }
}
