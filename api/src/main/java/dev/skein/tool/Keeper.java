package dev.skein.tool;

/// Keeps ready what tools need, for as long as somebody may call them. Two that keep the same are equal.
public interface Keeper {

    /// Keeps it ready from now on. Never waits, and never fails: what is not there any more is made again by the call
    /// that needs it.
    Kept keep();

    /// Something that is kept until it is closed.
    interface Kept extends AutoCloseable {
        @Override
        void close();
    }
}
