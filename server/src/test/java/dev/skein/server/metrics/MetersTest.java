package dev.skein.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Cost;
import dev.skein.message.Usage;
import dev.skein.server.metrics.Meters.Reason;
import dev.skein.session.LoopStatus;
import dev.skein.tool.ToolOutcome;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetersTest {

    private final Meters meters = new Meters();

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    void what_is_counted_has_the_names_that_are_promised() {
        meters.requestBegan();
        meters.requestEnded("GET", "/v1/sessions/{id}", 200, Duration.ofMillis(20));
        meters.authFailed(Reason.BAD_KEY);
        meters.rejected(Reason.RATE);
        meters.sessionsActive(() -> 7);
        meters.mcpPoolSize(() -> 3);
        meters.streamOpened();
        meters.runEnded(LoopStatus.COMPLETED);
        meters.modelAnswered("openai:gpt", Usage.of(10, 4), Cost.ofUsd("0.5"));
        meters.toolEnded(new ToolOutcome.Failed("broken"));

        assertThat(meters.scrape().lines())
                .contains(
                        "http_requests_total{method=\"GET\",route=\"/v1/sessions/{id}\",status=\"200\"} 1.0",
                        "http_request_duration_seconds_count{method=\"GET\",route=\"/v1/sessions/{id}\"} 1",
                        "auth_failures_total{reason=\"bad_key\"} 1.0",
                        "rate_limit_rejections_total{reason=\"rate\"} 1.0",
                        "sessions_active_total 7.0",
                        "mcp_pool_size 3.0",
                        "streams_open 1.0",
                        "http_requests_in_flight 0.0",
                        "runs_total{status=\"completed\"} 1.0",
                        "tokens_total{direction=\"input\",model=\"openai:gpt\"} 10.0",
                        "tokens_total{direction=\"output\",model=\"openai:gpt\"} 4.0",
                        "tool_calls_total{outcome=\"failed\"} 1.0",
                        "cost_usd_total{model=\"openai:gpt\"} 0.5")
                .anyMatch(line -> line.startsWith("jvm_memory_used_bytes"));
    }

    @Test
    void no_caller_can_make_labels_without_end() {
        for (int i = 0; i < 1_000; i++) {
            meters.requestBegan();
            meters.requestEnded("METHOD" + i, "none", 404, Duration.ZERO);
            meters.modelAnswered("p:model-" + i, Usage.of(1, 0), null);
        }

        assertThat(meters.scrape().lines().count()).isLessThan(400);
        assertThat(meters.scrape()).contains("model=\"other\"").contains("method=\"other\"");
    }
}
