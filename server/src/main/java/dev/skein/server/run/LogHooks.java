package dev.skein.server.run;

import dev.skein.engine.Hooks;
import dev.skein.live.RunOutcome;
import dev.skein.session.LoopId;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/// Lets the log find a run: the loop's id is in every line about it, and its end is one of them. What was said is not.
///
/// @param known what is known of the request, for a run that has a thread of its own
record LogHooks(Map<String, String> known) implements Hooks {

    /// The key under which logs find the loop they are about.
    static final String LOOP = "loop_id";

    private static final Logger LOG = LoggerFactory.getLogger(LogHooks.class);

    @Override
    public Optional<String> beforeLoop(LoopId loop) {
        about(loop);
        return Optional.empty();
    }

    @Override
    public void afterLoop(RunOutcome outcome) {
        about(outcome.loop());
        LOG.info(
                "run {}: turns {}, tokens in {}, out {}",
                outcome.status(),
                outcome.turns(),
                outcome.usage().inputTokens(),
                outcome.usage().outputTokens());
    }

    private void about(LoopId loop) {
        known.forEach(MDC::put);
        MDC.put(LOOP, loop.toString());
    }
}
