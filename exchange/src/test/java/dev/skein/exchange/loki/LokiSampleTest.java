package dev.skein.exchange.loki;

import static dev.skein.exchange.loki.LokiFixture.json;
import static dev.skein.exchange.loki.LokiFixture.replay;
import static dev.skein.exchange.loki.LokiFixture.said;
import static dev.skein.exchange.loki.LokiFixture.sample;
import static dev.skein.exchange.loki.LokiFixture.shown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.session.LoopPointer;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionSettings;
import dev.skein.session.SessionStatus;
import dev.skein.wire.EventCodec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class LokiSampleTest {

    @Test
    void a_session_of_loki_keeps_its_settings() {
        var hash = "0b6c4a0e5b8e1b0f7c3b9a2d1e4f5061728394a5b6c7d8e9f001122334455667";

        assertThat(sample("loki/sessions/my-project.yaml").settings())
                .isEqualTo(new SessionSettings(
                        "gpt-4o",
                        "openai",
                        0.2,
                        null,
                        null,
                        "coder",
                        null,
                        null,
                        List.of("fs", "web_search"),
                        List.of("github"),
                        true,
                        8000,
                        Map.of(),
                        null,
                        Map.of("data_urls", json("{\"" + hash + "\":\"/home/u/pic.png\"}"))));
    }

    @Test
    void compressed_history_is_told_once_and_the_model_sees_what_the_original_would() {
        var session = LokiFixture.replayedSample("loki/sessions/my-project.yaml");

        assertThat(said(session))
                .containsExactly(
                        "system: Be brief.",
                        "user: first question",
                        "assistant: first answer",
                        "user: what is in this picture?",
                        "assistant: a blank picture");
        assertThat(shown(session))
                .containsExactly(
                        "system: Be brief.\n\nRecap text goes here",
                        "user: what is in this picture?",
                        "assistant: a blank picture");
        assertThat(session.state().totals().messages()).isEqualTo(5);
        assertThat(session.state().totals().loops()).isEqualTo(2);
        assertThat(session.state().totals().turns()).isEqualTo(2);
    }

    @Test
    void loops_point_to_where_their_parents_really_start() {
        var session = LokiFixture.replayedSample("loki/sessions/my-project.yaml");

        var loops = session.path();
        assertThat(loops.getFirst().pointer())
                .isEqualTo(new LoopPointer(loops.getFirst().id(), 3));
        assertThat(loops.getLast().parentPointer()).isEqualTo(loops.getFirst().pointer());
        assertThat(session.state().head()).isEqualTo(loops.getLast().pointer());
        var block = Objects.requireNonNull(loops.getFirst().compaction());
        assertThat(block.until()).isEqualTo(loops.getFirst().pointer());
        var set = Objects.requireNonNull(session.state().compaction());
        assertThat(session.entries().get((int) set.seq() - 1).event())
                .isEqualTo(new SessionEvent.CompactionBlockSet(LokiFixture.WRITTEN, block));
    }

    @Test
    void a_tool_message_becomes_calls_and_results() {
        var session = LokiFixture.replayedSample("loki/agents/sql/sessions/work.yaml");

        assertThat(session.state().settings().agentVariables()).containsExactly(Map.entry("dsn", "sqlite:///tmp/x.db"));
        assertThat(session.state().settings().agentInstructions()).isEqualTo("You query databases.");
        var loop = session.path().getFirst();
        assertThat(loop.messages().stream().map(m -> m.role().toString()))
                .containsExactly("system", "user", "assistant", "tool", "assistant", "tool", "assistant");
        assertThat(loop.messages().stream().flatMap(m -> m.toolCalls().stream()))
                .containsExactly(
                        new Part.ToolCall(new ToolCallId("call_1"), "list_tables", json("{\"schema\":\"main\"}"), null),
                        new Part.ToolCall(new ToolCallId("call_2"), "count_rows", json("{\"t\":\"a\"}"), null));
        assertThat(loop.messages().stream().flatMap(m -> m.toolResults().stream()))
                .containsExactly(
                        new Part.ToolResult(
                                new ToolCallId("call_1"),
                                "list_tables",
                                List.of(new Part.Text("{\"tables\":[\"a\",\"b\"]}")),
                                false,
                                json("{\"tables\":[\"a\",\"b\"]}")),
                        new Part.ToolResult(
                                new ToolCallId("call_2"),
                                "count_rows",
                                List.of(new Part.Text("null")),
                                false,
                                json("null")));
        assertThat(loop.turns()).hasSize(3);
        assertThat(loop.turns().getFirst().toolResults()).hasSize(1);
    }

    @Test
    void an_unnamed_session_of_loki_is_read_like_any_other() {
        var session = LokiFixture.replayedSample("loki/sessions/_/20260508T120838-fix-login-bug.yaml");

        assertThat(said(session)).containsExactly("user: login fails with 401", "assistant: check the token");
        assertThat(session.state().settings().saveSession()).isTrue();
        assertThat(session.state().status()).isEqualTo(SessionStatus.IDLE);
        assertThat(session.state().lastActivityAt()).isEqualTo(LokiFixture.WRITTEN);
    }

    @Test
    void every_setting_of_coyote_is_kept_under_its_name() {
        var extra = new LinkedHashMap<String, JsonNode>();
        extra.put("skills_enabled", json("true"));
        extra.put("enabled_skills", json("\"git-master,code-review\""));
        extra.put("enabled_macros", json("[]"));
        extra.put("auto_continue", json("true"));
        extra.put("max_auto_continues", json("5"));
        extra.put("inject_todo_instructions", json("true"));
        extra.put("continuation_prompt", json("\"go on\""));
        extra.put("inject_skill_instructions", json("false"));
        extra.put("skill_instructions", json("\"hint\""));
        extra.put("memory", json("false"));

        assertThat(sample("coyote/sessions/full.yaml").settings())
                .isEqualTo(new SessionSettings(
                        "claude-sonnet-4",
                        "claude",
                        0.1,
                        0.9,
                        "high",
                        null,
                        null,
                        null,
                        List.of("fs_cat", "fs_ls"),
                        List.of(),
                        false,
                        4000,
                        Map.of(),
                        null,
                        extra));
    }

    @Test
    void what_coyote_thought_and_said_around_a_call_is_kept() {
        var messages = LokiFixture.replayedSample("coyote/sessions/full.yaml")
                .path()
                .getFirst()
                .messages();

        assertThat(messages.get(1).parts())
                .containsExactly(
                        new Part.Thinking("plan", "s1", null),
                        new Part.Thinking("", null, "xx"),
                        new Part.Text("I will read it"),
                        new Part.ToolCall(new ToolCallId("toolu_1"), "fs_cat", json("{\"path\":\"a.txt\"}"), "sig"));
        assertThat(messages.get(2).parts())
                .containsExactly(Part.ToolResult.text(new ToolCallId("toolu_1"), "fs_cat", "hello"));
        assertThat(messages.getLast().text()).isEqualTo("The file says hello.");
    }

    @Test
    void an_old_session_of_aichat_keeps_its_settings_under_the_new_names() {
        assertThat(sample("aichat/sessions/old.yaml").settings())
                .isEqualTo(new SessionSettings(
                        "gpt-4o-mini",
                        "openai",
                        null,
                        null,
                        null,
                        "%functions%",
                        null,
                        null,
                        List.of("all"),
                        null,
                        null,
                        2000,
                        Map.of(),
                        null,
                        Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "loki/sessions/my-project.yaml",
                "loki/sessions/_/20260508T120838-fix-login-bug.yaml",
                "loki/agents/sql/sessions/work.yaml",
                "coyote/sessions/full.yaml",
                "aichat/sessions/old.yaml"
            })
    void every_event_survives_being_stored(String path) {
        var read = sample(path);

        for (var event : read.events()) {
            var bytes = EventCodec.encode(event, null);
            assertThat(EventCodec.decode(bytes, 0, bytes.length)).isEqualTo(new EventCodec.Decoded(event, null));
        }
        assertThat(replay(read).roots()).hasSize(1);
    }
}
