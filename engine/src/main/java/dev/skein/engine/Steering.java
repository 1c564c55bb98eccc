package dev.skein.engine;

import dev.skein.message.Part;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/// What a person says while a run goes on.
///
/// A steering message is heard before the model is asked the next time, a follow-up when it would come to rest; then
/// the run goes on. What was not heard when a run ended stays here. Safe for use by many threads.
public final class Steering {

    private final Queue<List<Part>> steering = new ArrayDeque<>();
    private final Queue<List<Part>> followUps = new ArrayDeque<>();

    public void steer(String text) {
        steer(List.of(new Part.Text(text)));
    }

    public synchronized void steer(List<Part> parts) {
        steering.add(List.copyOf(parts));
    }

    public void followUp(String text) {
        followUp(List.of(new Part.Text(text)));
    }

    public synchronized void followUp(List<Part> parts) {
        followUps.add(List.copyOf(parts));
    }

    /// Everything that was said and not heard.
    public synchronized List<List<Part>> unheard() {
        var all = new ArrayList<>(steering);
        all.addAll(followUps);
        return all;
    }

    /// Everything that was said and not heard; it is the caller's now.
    public synchronized List<Part> take() {
        var all = unheard().stream().flatMap(List::stream).toList();
        steering.clear();
        followUps.clear();
        return all;
    }

    /// Everything that is to be heard before the next turn.
    synchronized List<List<Part>> beforeNextTurn() {
        var all = List.copyOf(steering);
        steering.clear();
        return all;
    }

    /// What keeps the run from coming to rest. Nobody said it too late to steer.
    synchronized Optional<List<Part>> beforeRest() {
        var late = steering.poll();
        return Optional.ofNullable(late != null ? late : followUps.poll());
    }
}
