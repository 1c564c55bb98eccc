package dev.skein.engine;

import static dev.skein.testkit.ScriptedModel.asks;
import static dev.skein.testkit.ScriptedModel.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.permission.Permissions;
import dev.skein.engine.permission.Permissions.Decision;
import dev.skein.session.LoopStatus;
import dev.skein.testkit.ScriptedModel;
import dev.skein.tool.Caution;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What a tool has to say before it is run.
class CautionTest {

    private final Bed bed = new Bed();

    private record Cautious(TestTool tool, Caution said) implements Tool {

        @Override
        public ToolSpec spec() {
            return tool.spec();
        }

        @Override
        public Optional<Caution> caution() {
            return Optional.of(said);
        }

        @Override
        public ToolOutcome run(ToolRequest request, Cancellation cancellation) throws InterruptedException {
            return tool.run(request, cancellation);
        }
    }

    @Test
    void a_caution_that_asks_counts_more_than_a_rule_that_allows() {
        var outcome = bed.prompt(settings(Caution.Weight.ASKS, Permissions.ALLOW_ALL), "go");

        assertThat(outcome.status()).isEqualTo(LoopStatus.WAITING);
        assertThat(Approvals.waiting(bed.session))
                .singleElement()
                .satisfies(waiting -> assertThat(waiting.reason()).isEqualTo("it has changed"));
    }

    @Test
    void a_caution_that_is_only_said_does_not_stop_what_is_allowed() {
        var outcome = bed.prompt(settings(Caution.Weight.SAID, Permissions.ALLOW_ALL), "go");

        assertThat(outcome.status()).isEqualTo(LoopStatus.COMPLETED);
    }

    @Test
    void whoever_is_asked_hears_both_reasons() {
        bed.prompt(settings(Caution.Weight.SAID, (_, _) -> new Decision.Ask("it acts")), "go");

        assertThat(Approvals.waiting(bed.session))
                .singleElement()
                .satisfies(waiting -> assertThat(waiting.reason()).isEqualTo("it acts; it has changed"));
    }

    @Test
    void what_is_denied_stays_denied() {
        var outcome = bed.prompt(settings(Caution.Weight.ASKS, (_, _) -> new Decision.Deny("no")), "go");

        assertThat(outcome.status()).isEqualTo(LoopStatus.COMPLETED);
        assertThat(bed.texts()).anySatisfy(text -> assertThat(text).contains("Not allowed: no"));
    }

    private static RunSettings settings(Caution.Weight weight, Permissions permissions) {
        return RunSettings.of(ScriptedModel.of(asks("add", "1"), says("Done.")))
                .withTools(new Cautious(TestTool.answering("add"), new Caution(weight, "it has changed")))
                .withPermissions(permissions);
    }
}
