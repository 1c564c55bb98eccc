package dev.skein.live;

import java.util.ArrayList;
import java.util.List;

/// Keeps what it hears, for whoever wants it at the end.
public final class CollectingEmitter implements Emitter {

    private final List<LiveEvent> events = new ArrayList<>();

    @Override
    public synchronized void emit(LiveEvent event) {
        events.add(event);
    }

    public synchronized List<LiveEvent> events() {
        return List.copyOf(events);
    }

    public List<LiveEvent.Body> bodies() {
        return events().stream().map(LiveEvent::body).toList();
    }
}
