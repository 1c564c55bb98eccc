package dev.skein.exchange.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.UnreadableImport;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Usage;
import dev.skein.session.Continuation;
import dev.skein.session.Entry;
import dev.skein.session.Formation;
import dev.skein.session.LoopId;
import dev.skein.session.LoopStatus;
import dev.skein.session.Session;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImportSamplesTest {

    private static final Instant WRITTEN = Instant.parse("2026-05-08T12:08:38Z");
    private static final String CLAUDE = "claude-code/5e0f0e1c-7f0a-4c57-9d5b-3a7f2f4e8a01.jsonl";
    private static final String CODEX = "codex/rollout-2025-12-08T00-37-46-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5.jsonl";
    private static final String PI = "pi/2026-01-24T16-22-26-831Z_e99116ac-a6da-48fc-ad8b-2feca1c51550.jsonl";
    private static final String PHI = "phi/11111111-1111-4111-8111-111111111111.json";

    @Test
    void a_chat_of_miniclaw_keeps_its_calls_times_and_the_name_of_its_channel() {
        var foreign = sample("miniclaw/sessions/telegram_123456789.json");
        var session = replay(foreign);

        assertThat(foreign.tool()).isEqualTo(Tool.MINICLAW);
        assertThat(session.state().alias()).hasToString("telegram_123456789");
        assertThat(foreign.createdAt()).isEqualTo("2026-02-14T10:30:00Z");
        assertThat(said(session))
                .containsExactly(
                        "user: list files", "assistant: ", "tool: Tool call_1 result: a.txt", "assistant: a.txt");
        assertThat(shown(session)).isEqualTo(said(session));
        assertThat(messages(session).get(1).toolCalls()).singleElement().satisfies(call -> {
            assertThat(call.name()).isEqualTo("filesystem");
            assertThat(call.arguments()).hasToString("{\"action\":\"list\"}");
        });
        assertThat(messages(session).get(2).at()).isEqualTo("2026-02-14T15:45:07Z");
    }

    @Test
    void results_without_an_id_answer_the_calls_in_order() {
        var session = replay(read("x.json", """
                {"session_id": "a_1", "channel": "a", "chat_id": "1", "created_at": "2026-01-01T00:00:00Z",
                 "last_accessed": "2026-01-01T00:00:00Z", "messages": [
                 {"role": "user", "content": "go", "timestamp": "2026-01-01T00:00:01Z"},
                 {"role": "assistant", "content": "", "timestamp": "2026-01-01T00:00:02Z", "tool_calls": [
                   {"id": "c1", "name": "one", "arguments": "{}"},
                   {"id": "c2", "name": "two", "arguments": "no json"}]},
                 {"role": "tool_result", "content": "first", "timestamp": "2026-01-01T00:00:03Z"},
                 {"role": "tool_result", "content": "second", "timestamp": "2026-01-01T00:00:04Z"},
                 {"role": "oracle", "content": "?", "timestamp": "never"}]}
                """));

        assertThat(shown(session)).containsExactly("user: go", "assistant: ", "tool: first", "tool: second", "user: ?");
        assertThat(messages(session).get(3).toolResults().getFirst().name()).isEqualTo("two");
        assertThat(messages(session).get(1).toolCalls().get(1).arguments()).hasToString("\"no json\"");
        assertThat(messages(session).getLast().metadata()).containsKeys("role", "timestamp");
    }

    @Test
    void what_another_tool_called_by_a_name_of_ours_is_not_mistaken_for_ours() {
        var foreign = read("x.json", """
                {"session_id": "a_1", "channel": "a", "chat_id": "1", "created_at": "2026-01-01T00:00:00Z",
                 "skein": {"schedule": "daily"}, "messages": [
                 {"role": "user", "content": "go", "timestamp": "2026-01-01T00:00:01Z", "summary": "of what?",
                  "todo": {"data": {"items": []}}, "mood": "good"}]}
                """);

        assertThat(foreign.session().metadata()).containsKey("imported_skein").doesNotContainKey("skein");
        assertThat(messages(replay(foreign)).getFirst().metadata())
                .containsOnlyKeys("imported_summary", "imported_todo", "mood");
    }

    @Test
    void a_session_of_the_harness_keeps_its_name_description_and_ids() {
        var named = replay(sample("harness/sessions/my-session.json"));
        assertThat(named.state().alias()).hasToString("My Session");
        assertThat(named.state().description()).isEqualTo("d");
        assertThat(named.state().settings().model()).isNull();
        assertThat(shown(named)).as("a model gets no answer without its call").isEmpty();
        assertThat(said(named)).containsExactly("tool: {}");

        var dated = sample("harness/sessions/2025-01-04-14-32-15-001-aB_d.json");
        var session = replay(dated);
        assertThat(session.state().settings().model()).isEqualTo("gpt-4o");
        assertThat(messages(session))
                .extracting(message -> message.id().text())
                .containsExactly("7b1c6a34-5c58-4a5b-9d0e-2f1f6b0d9c11", "msg-1736001140000-1");
        assertThat(dated.session().metadata()).containsKey("contextSummary");
    }

    @Test
    void a_session_of_phi_core_keeps_its_tree_sub_agents_and_odd_ids() {
        var foreign = sample(PHI);
        var session = replay(foreign);

        assertThat(session.state().id()).isEqualTo(SessionId.of("11111111-1111-4111-8111-111111111111"));
        var first = session.loop(new LoopId("11111111-1111-4111-8111-111111111111.anthropic.claude-x.1"))
                .orElseThrow();
        var second = session.loop(new LoopId("11111111-1111-4111-8111-111111111111.anthropic.claude-x.2"))
                .orElseThrow();
        assertThat(first.children()).containsExactly(second.id());
        assertThat(first.status()).isEqualTo(LoopStatus.COMPLETED);
        assertThat(first.usage()).isEqualTo(Usage.of(10, 5));
        assertThat(first.childRefs())
                .singleElement()
                .satisfies(child ->
                        assertThat(child.session()).isEqualTo(SessionId.of("22222222-2222-4222-8222-222222222222")));
        assertThat(first.metadata()).containsKey("req");
        assertThat(second.continuation().kind()).isEqualTo(Continuation.Kind.RERUN);
        assertThat(second.metadata()).as("members that are not in the file").containsKey("parallel_group");
        assertThat(first.messages()).hasSize(3);
        assertThat(first.messages().get(1).parts().getFirst()).isEqualTo(new Part.Thinking("hm", "s", null));
        assertThat(foreign.session().events())
                .filteredOn(SessionEvent.Opaque.class::isInstance)
                .extracting(event -> ((SessionEvent.Opaque) event).type())
                .containsExactly("phi_extension");

        var child = replay(sample("phi/22222222-2222-4222-8222-222222222222.json"));
        assertThat(child.state().opened().spawn()).isNotNull();
        assertThat(child.state().opened().formation()).isEqualTo(new Formation.InactivityTimeout(1800, null));
    }

    @Test
    void parallel_loops_of_phi_core_stay_a_group_and_the_chosen_one_goes_on() {
        var session = replay(read("p.json", """
                {"session_id": "33333333-3333-4333-8333-333333333333", "agent_id": "a",
                 "created_at": "2026-01-01T00:00:00Z",
                 "last_active_at": "2026-01-01T00:00:00Z",
                 "formation": {"Explicit": {"timestamp": "2026-01-01T00:00:00Z"}},
                 "loops": [%s, %s]}
                """.formatted(branch("x.1", false), branch("x.2", true))));

        assertThat(session.state().head())
                .isNotNull()
                .satisfies(head -> assertThat(head.loop()).isEqualTo(new LoopId("x.2")));
        assertThat(session.loop(new LoopId("x.1")).orElseThrow().parallel()).isNotNull();
        assertThat(shown(session)).containsExactly("user: hi from x.2");
    }

    @Test
    void a_bare_list_of_messages_is_a_session_too() {
        var session = replay(read("notes.json", """
                [{"role": "user", "content": [{"type": "text", "text": "hi"}], "timestamp": 1778925600000},
                 {"role": "extension", "kind": "note", "data": 1},
                 {"role": "assistant", "content": [{"type": "text", "text": "hello"}], "stopReason": "stop",
                  "model": "m", "provider": "p", "usage": {"input": 1, "output": 2}, "timestamp": 1778925601000}]
                """));

        assertThat(session.state().alias()).hasToString("notes");
        assertThat(shown(session)).containsExactly("user: hi", "assistant: hello");
        assertThat(session.loops()).hasSize(1);
    }

    @Test
    void a_session_of_claude_code_keeps_its_branches_and_goes_on_with_the_newest() {
        var foreign = sample(CLAUDE);
        var session = replay(foreign);

        assertThat(foreign.damage()).isEqualTo("1 lines cannot be read");
        assertThat(session.loops()).hasSize(3);
        assertThat(shown(session))
                .containsExactly(
                        "user: Which files are there?",
                        "assistant: ",
                        "tool: a.txt",
                        "tool: hello",
                        "assistant: Only a.txt.",
                        "user: Keep it.",
                        "assistant: Kept.");
        var answer = messages(session).get(1);
        assertThat(answer.toolCalls()).hasSize(2);
        assertThat(answer.parts().getFirst()).isEqualTo(new Part.Thinking("Two calls.", "sig", null));
        assertThat(answer.reply().usage()).isEqualTo(new Usage(113, 7, 100, 10, 0));
        assertThat(messages(session).get(2).toolResults().getFirst().name()).isEqualTo("Bash");
        assertThat(session.state().description()).isEqualTo("Files of the shop");
        assertThat(session.state().settings().model()).isEqualTo("claude-opus-4-5");
        assertThat(foreign.session().metadata()).containsKeys("cwd", "gitBranch", "version");
    }

    @Test
    void a_session_of_codex_joins_what_the_model_did_between_two_inputs() {
        var session = replay(sample(CODEX));

        assertThat(shown(session))
                .containsExactly(
                        "system: <environment_context>\n  <cwd>/home/ann/shop</cwd>\n</environment_context>",
                        "user: How many plums?",
                        "assistant: ",
                        "tool: 12",
                        "assistant: Twelve.",
                        "user: And pears?",
                        "assistant: None.");
        assertThat(session.state().firstMessage()).isEqualTo("How many plums?");
        var asking = messages(session).get(2);
        assertThat(asking.parts().getFirst()).isEqualTo(new Part.Thinking("Count them.", null, null));
        assertThat(asking.toolCalls().getFirst().arguments()).hasToString("{\"command\":[\"wc\",\"-l\"]}");
        assertThat(asking.reply().usage()).isEqualTo(new Usage(100, 9, 20, 0, 3));
        assertThat(asking.reply().model()).isEqualTo("gpt-5-codex");
    }

    @Test
    void a_session_of_pi_keeps_its_summary_over_what_it_replaced() {
        var session = replay(sample(PI));

        assertThat(session.state().alias()).hasToString("Refactor auth");
        assertThat(said(session)).startsWith("user: Hello", "assistant: Hi!").hasSize(9);
        assertThat(shown(session))
                .containsExactly(
                        "user: They greeted.",
                        "user: List files",
                        "assistant: ",
                        "tool: a.txt",
                        "assistant: a.txt",
                        "user: $ date\ntoday",
                        "user: Thanks",
                        "assistant: Welcome.");
        assertThat(messages(session).get(1).reply().usage()).isEqualTo(new Usage(13, 5, 2, 1, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {CLAUDE, CODEX, PI, PHI, "miniclaw/sessions/telegram_123456789.json"})
    void the_same_file_gives_the_same_events(String path) {
        assertThat(sample(path).session()).isEqualTo(sample(path).session());
    }

    @ParameterizedTest
    @CsvSource({CLAUDE + ",8", CODEX + ",10", PI + ",7", PI + ",8"})
    void a_file_that_went_on_begins_as_it_did(String path, int count) {
        var lines = new String(bytes(path), StandardCharsets.UTF_8).lines().toList();
        // Each ends where the model had answered.
        var shorter = read(path, String.join("\n", lines.subList(0, count)) + "\n");

        assertThat(sample(path).session().events())
                .startsWith(shorter.session().events().toArray(SessionEvent[]::new));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{; is not JSON (line 1)",
                "{} {}; is not JSON (line 1)",
                "{'channel': 1, 'chat_id': {}, 'messages': []}; has a 'chat_id' in the session that is not a text",
                "{'channel': 'a', 'chat_id': 'b', 'messages': [7]}; has no object where 'messages' number 1",
                "{'session_id': 'x', 'loops': [{}]}; has no 'loop_id'",
                "{'metadata': {'id': 'x'}, 'messages': [{}]}; has no 'role' in 'messages' number 1 of the session",
                "{'format': 9, 'session': {}, 'events': []}; has format 9",
                "{'format': 1, 'session': {}, 'events': []}; has no events",
                "{'format': 1, 'session': {}, 'events': [{'type': 'loop_started'}]}; does not begin with session_opened"
            })
    void a_file_with_something_wrong_says_what(String json, String words) {
        assertThatThrownBy(() -> read("bad.json", json.replace('\'', '"')))
                .isInstanceOf(UnreadableImport.class)
                .hasMessageContaining("bad.json")
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "7", "{\"version\": \"1.0\", \"sessions\": {}}", "[{\"a\": 1}]"})
    void a_file_of_nobody_known_is_none(String json) {
        assertThat(SessionFiles.read(file("other.json", json.getBytes(StandardCharsets.UTF_8))))
                .isEmpty();
        assertThat(SessionFiles.read(file("other.jsonl", "{\"a\":1}\n\n{\"b\":2}".getBytes(StandardCharsets.UTF_8))))
                .isEmpty();
    }

    @Test
    void depth_and_strange_bytes_are_a_typed_failure() {
        assertThatThrownBy(() -> read("deep.json", "[".repeat(100_000))).isInstanceOf(UnreadableImport.class);
        assertThatThrownBy(() -> read("deep.jsonl", "[".repeat(100_000))).isInstanceOf(UnreadableImport.class);
        assertThatThrownBy(() -> SessionFiles.read(file("bad.json", new byte[] {'"', (byte) 0xff, '"'})))
                .isInstanceOf(UnreadableImport.class);
    }

    private static String branch(String id, boolean selected) {
        return """
                {"loop_id": "%s", "session_id": "s", "agent_id": "a",
                 "started_at": "2026-01-01T00:00:00Z", "status": "Completed",
                 "messages": [{"role": "user", "content": [{"type": "text", "text": "hi from %s"}], "timestamp": 1}],
                 "usage": {"input": 0, "output": 0}, "events": [], "children_loop_ids": [], "child_loop_refs": [],
                 "parallel_group": {"all_loop_ids": ["x.1", "x.2"], "selected_loop_id": "x.2",
                   "selected_config_index": 1,
                   "evaluation_usage": {"input": 1, "output": 1}, "is_selected": %s}}
                """.formatted(id, id, selected);
    }

    private static ForeignSession sample(String path) {
        return SessionFiles.read(file(path, bytes(path))).orElseThrow();
    }

    private static ForeignSession read(String path, String content) {
        return SessionFiles.read(file(path, content.getBytes(StandardCharsets.UTF_8)))
                .orElseThrow();
    }

    private static SourceFile file(String path, byte[] content) {
        return new SourceFile(Path.of(path), content, WRITTEN);
    }

    private static byte[] bytes(String path) {
        try (var in = ImportSamplesTest.class.getResourceAsStream("/samples/" + path)) {
            return Objects.requireNonNull(in, path).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Session replay(ForeignSession foreign) {
        List<Entry> entries = foreign.entries(foreign.session().alias(), WRITTEN);
        return Session.replay(entries);
    }

    private static List<Message> messages(Session session) {
        return session.path().stream().flatMap(loop -> loop.messages().stream()).toList();
    }

    private static List<String> said(Session session) {
        return messages(session).stream().map(ImportSamplesTest::line).toList();
    }

    private static List<String> shown(Session session) {
        return session.context(1000).messages().stream()
                .map(ImportSamplesTest::line)
                .toList();
    }

    private static String line(Message message) {
        return message.role() + ": " + message.text();
    }
}
