package dev.skein.session;

/// Names one turn: the loop it belongs to and its place there, from 0.
public record TurnId(LoopId loop, int index) {

    public TurnId {
        if (index < 0) {
            throw new IllegalArgumentException("a turn index must not be negative: " + index);
        }
    }
}
