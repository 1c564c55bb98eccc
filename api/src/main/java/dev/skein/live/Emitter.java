package dev.skein.live;

/// Where a run's events go live.
///
/// Events come one after another, not from two threads at once. An emitter that throws is not called again in that
/// run; the run goes on and the session loses nothing.
public interface Emitter {

    void emit(LiveEvent event);

    /// Hears nothing.
    Emitter NONE = _ -> {};
}
