package dev.skein.live;

import java.util.function.Consumer;

/// Hands every event on as one line of JSON, without the line's end.
public record JsonEmitter(Consumer<String> lines) implements Emitter {

    @Override
    public void emit(LiveEvent event) {
        lines.accept(LiveJson.line(event).toString());
    }
}
