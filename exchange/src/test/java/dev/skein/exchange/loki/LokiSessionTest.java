package dev.skein.exchange.loki;

import static dev.skein.exchange.loki.LokiFixture.json;
import static dev.skein.exchange.loki.LokiFixture.read;
import static dev.skein.exchange.loki.LokiFixture.replay;
import static dev.skein.exchange.loki.LokiFixture.said;
import static dev.skein.exchange.loki.LokiFixture.shown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.session.Entry;
import dev.skein.session.Session;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class LokiSessionTest {

    @Test
    void the_smallest_file_only_configures_the_session() {
        var read = read("model: openai:gpt-4o\nmessages: []\n");

        assertThat(read.events())
                .containsExactly(new SessionEvent.SessionConfigured(
                        LokiFixture.WRITTEN, SessionSettings.NONE.withModel("openai", "gpt-4o")));
    }

    @Test
    void a_model_is_split_at_the_first_colon_only() {
        assertThat(read("model: ollama:llama3:8b\nmessages: []").settings())
                .isEqualTo(SessionSettings.NONE.withModel("ollama", "llama3:8b"));
        assertThat(read("model: gpt-4\nmessages: []").settings())
                .isEqualTo(SessionSettings.NONE.withModel(null, "gpt-4"));
        assertThat(read("model: 'odd:'\nmessages: []").settings())
                .isEqualTo(SessionSettings.NONE.withModel(null, "odd:"));
        assertThat(read("messages: []").settings()).isEqualTo(SessionSettings.NONE);
    }

    @Test
    void a_file_of_2023_with_path_and_tokens_is_read() {
        var read = read("""
                path: /home/u/.config/aichat/sessions/old.yaml
                model: openai:gpt-3.5-turbo
                temperature: 1
                tokens: 42
                messages:
                - role: system
                  content: You are terse.
                - role: user
                  content: hi
                - role: assistant
                  content: hello
                """);

        assertThat(said(replay(read))).containsExactly("system: You are terse.", "user: hi", "assistant: hello");
        assertThat(read.settings().temperature()).isEqualTo(1.0);
        assertThat(read.settings().extra()).containsOnlyKeys("path", "tokens");
    }

    @Test
    void no_tools_and_tools_not_set_are_two_things() {
        assertThat(read("enabled_tools: ''\nmessages: []").settings().tools()).isEmpty();
        assertThat(read("enabled_tools: []\nmessages: []").settings().tools()).isEmpty();
        assertThat(read("enabled_tools: null\nmessages: []").settings().tools()).isNull();
        assertThat(read("messages: []").settings().tools()).isNull();
        assertThat(read("use_tools: a, b\nmessages: []").settings().tools()).containsExactly("a", "b");
    }

    @Test
    void a_known_key_whose_value_does_not_fit_is_kept_as_it_is() {
        var settings = read("""
                temperature: warm
                save_session: maybe
                compression_threshold: -1
                agent_variables: [a]
                enabled_tools: {a: b}
                _meta: {by: someone}
                messages: []
                """).settings();

        assertThat(settings)
                .isEqualTo(new SessionSettings(
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        Map.of(),
                        null,
                        Map.of(
                                "temperature", json("\"warm\""),
                                "save_session", json("\"maybe\""),
                                "compression_threshold", json("-1"),
                                "agent_variables", json("[\"a\"]"),
                                "enabled_tools", json("{\"a\":\"b\"}"),
                                "_meta", json("{\"by\":\"someone\"}"))));
    }

    @Test
    void agent_variables_are_words_in_their_order() {
        var settings = read("""
                agent_variables:
                  zip: 01234
                  on: no
                  day: 2024-01-01
                  none: ~
                messages: []
                """).settings();

        assertThat(settings.agentVariables())
                .containsExactly(
                        Map.entry("zip", "01234"),
                        Map.entry("on", "no"),
                        Map.entry("day", "2024-01-01"),
                        Map.entry("none", "~"));
    }

    @Test
    void each_prompt_with_its_answers_is_a_loop() {
        var session = replay(read("""
                messages:
                - {role: user, content: one}
                - {role: assistant, content: 'ONE'}
                - {role: user, content: two}
                - {role: user, content: and a half}
                - {role: assistant, content: 'TWO'}
                - {role: user, content: unanswered}
                """));

        assertThat(session.path().stream().map(loop -> loop.messages().size())).containsExactly(2, 3, 1);
        assertThat(session.roots()).hasSize(1);
        assertThat(shown(session)).hasSize(6).isEqualTo(said(session));
    }

    @Test
    void each_compression_is_a_block_that_can_be_taken_away() {
        var session = replay(read("""
                compressed_messages:
                - {role: system, content: prompt}
                - {role: user, content: u1}
                - {role: assistant, content: a1}
                - {role: system, content: recap 1}
                - {role: user, content: u2}
                - {role: assistant, content: a2}
                messages:
                - {role: system, content: recap 2}
                - {role: assistant, content: kept}
                - {role: user, content: u3}
                - {role: assistant, content: a3}
                """));
        var newest = Objects.requireNonNull(session.state().compaction());

        assertThat(said(session))
                .containsExactly(
                        "system: prompt",
                        "user: u1",
                        "assistant: a1",
                        "user: u2",
                        "assistant: a2",
                        "assistant: kept",
                        "user: u3",
                        "assistant: a3");
        assertThat(shown(session)).containsExactly("system: recap 2", "assistant: kept", "user: u3", "assistant: a3");
        assertThat(shown(without(session, newest.id())))
                .startsWith("system: recap 1", "user: u2", "assistant: a2", "assistant: kept");
    }

    @Test
    void a_compressed_session_without_a_recap_hides_what_was_compressed() {
        var session = replay(read("""
                compressed_messages:
                - {role: user, content: old}
                messages:
                - {role: user, content: new}
                """));

        assertThat(said(session)).containsExactly("user: old", "user: new");
        assertThat(shown(session)).containsExactly("user: new");
    }

    @Test
    void a_session_compressed_a_moment_ago_shows_only_the_recap() {
        var session = replay(read("""
                agent_variables: {dsn: x}
                compressed_messages:
                - {role: user, content: old}
                - {role: assistant, content: answer}
                messages:
                - {role: system, content: recap}
                """));

        assertThat(said(session)).containsExactly("user: old", "assistant: answer");
        assertThat(shown(session)).containsExactly("system: recap");
    }

    @Test
    void a_picture_is_taken_from_its_data_url_and_knows_its_file() {
        var content = only("""
                messages:
                - role: user
                  content:
                  - {type: image_url, image_url: {url: 'data:image/png;base64,AAAA'}}
                  - {type: image_url, image_url: {url: 'https://example.org/a.png', detail: low}}
                  - {type: image_url, image_url: {url: 'data:text/plain,hello'}}
                  - {type: audio, format: mp3}
                data_urls:
                  bde6da8e9d3902a86a1452ec62648cd07cb1cfbae0ec8dd5142ad881c7aa2ba0: /home/u/pic.png
                """);

        assertThat(content.parts())
                .containsExactly(
                        new Part.Image("image/png", "AAAA", null, "/home/u/pic.png"),
                        new Part.Image(null, null, "https://example.org/a.png", null),
                        new Part.Image(null, null, "data:text/plain,hello", null),
                        new Part.Unknown((ObjectNode) json("{\"type\":\"audio\",\"format\":\"mp3\"}")));
        assertThat(content.metadata()).isEqualTo(Map.of("parts", json("{\"1\":{\"image_url\":{\"detail\":\"low\"}}}")));
    }

    @Test
    void keys_and_roles_without_a_word_here_are_kept_in_the_metadata() {
        var message = only("messages:\n- {role: developer, content: x, name: bob, n: 1}\n");

        assertThat(message.role().toString()).isEqualTo("user");
        assertThat(message.metadata())
                .isEqualTo(Map.of("role", json("\"developer\""), "name", json("\"bob\""), "n", json("1")));
    }

    @Test
    void a_tool_message_of_mere_words_does_not_pass_for_a_result() {
        var message = only("messages:\n- {role: tool, content: done}\n");

        assertThat(message.role().toString()).isEqualTo("user");
        assertThat(message.metadata()).isEqualTo(Map.of("role", json("\"tool\"")));
    }

    @Test
    void calls_of_one_round_stay_together_and_odd_arguments_are_kept() {
        var session = replay(read("""
                messages:
                - {role: user, content: go}
                - role: tool
                  content:
                    tool_results:
                    - {call: {name: a, arguments: '[1]', id: null, extra: 1}, output: 7, ok: true}
                    - {call: {name: b, arguments: 'not json', id: call_1}, output: 'no'}
                    - {call: {name: c, id: ''}, output: false}
                    text: Let me see.
                    sequence: false
                """));
        var messages = session.path().getFirst().messages();

        assertThat(messages).hasSize(5);
        assertThat(messages.get(1).text()).isEqualTo("Let me see.");
        assertThat(messages.get(1).toolCalls().stream().map(call -> call.id() + " " + call.arguments()))
                .containsExactly("call_2 \"[1]\"", "call_1 \"not json\"", "call_3 {}");
        assertThat(messages.get(2).metadata()).isEqualTo(Map.of("ok", json("true"), "call", json("{\"extra\":1}")));
        assertThat(messages.subList(2, 5).stream().map(Message::text)).containsExactly("7", "no", "false");
        assertThat(session.context(100).messages()).hasSize(5);
    }

    @Test
    void the_same_file_read_twice_gives_the_same_events() {
        assertThat(LokiFixture.sample("loki/sessions/my-project.yaml"))
                .isEqualTo(LokiFixture.sample("loki/sessions/my-project.yaml"));
    }

    private static Message only(String yaml) {
        var loops = List.copyOf(replay(read(yaml)).loops());
        assertThat(loops).hasSize(1);
        assertThat(loops.getFirst().messages()).hasSize(1);
        return loops.getFirst().messages().getFirst();
    }

    private static Session without(Session session, String block) {
        var entries = new ArrayList<>(session.entries());
        entries.add(Entry.of(entries.size() + 1, new SessionEvent.CompactionBlockRemoved(LokiFixture.WRITTEN, block)));
        return Session.replay(entries);
    }
}
