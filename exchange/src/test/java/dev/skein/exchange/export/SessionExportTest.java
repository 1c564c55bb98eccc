package dev.skein.exchange.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.skein.exchange.loki.LokiFixture;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.session.Entry;
import dev.skein.session.Exchange;
import dev.skein.session.LoopId;
import dev.skein.session.Session;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionSettings;
import dev.skein.store.SessionSummary;
import dev.skein.wire.EventCodec;
import dev.skein.wire.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

class SessionExportTest {

    private static final YAMLMapper YAML = new YAMLMapper();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "loki/sessions/my-project.yaml",
                "loki/agents/sql/sessions/work.yaml",
                "coyote/sessions/full.yaml",
                "aichat/sessions/old.yaml"
            })
    void every_event_comes_back_from_json_and_from_yaml(String sample) throws IOException {
        var session = LokiFixture.replayedSample(sample);

        assertThat(entries(Json.MAPPER.readTree(export(session, ExportFormat.JSON))))
                .isEqualTo(session.entries());
        assertThat(entries(YAML.readTree(export(session, ExportFormat.YAML)))).isEqualTo(session.entries());
    }

    @Test
    void the_summary_and_the_settings_come_first() throws IOException {
        var session = LokiFixture.replayedSample("loki/sessions/my-project.yaml");

        var tree = Json.MAPPER.readTree(export(session, ExportFormat.JSON));

        assertThat(tree.propertyNames()).containsExactly("format", "session", "settings", "events");
        assertThat(tree.get("format").intValue()).isEqualTo(1);
        assertThat(Json.MAPPER.treeToValue(tree.get("session"), SessionSummary.class))
                .isEqualTo(SessionSummary.of(session.state()));
        assertThat(Json.MAPPER.treeToValue(tree.get("settings"), SessionSettings.class))
                .isEqualTo(session.state().settings());
    }

    @Test
    void fields_and_events_from_the_future_are_kept() throws IOException {
        var future = (ObjectNode) Json.MAPPER.readTree("""
                {"type":"session_described","at":"2026-05-08T12:08:38Z","description":"d","mood":{"is":"good"}}
                """);
        var unknown = (ObjectNode) Json.MAPPER.readTree("""
                {"type":"session_dreamt","at":"2026-05-08T12:08:38Z","of":["sheep"]}
                """);
        var known = EventCodec.decode(future);
        var session = Session.replay(List.of(
                Entry.of(1, LokiFixture.opened()),
                new Entry(2, known.event(), null, known.raw()),
                Entry.of(3, EventCodec.decode(unknown).event())));

        var events = Json.MAPPER.readTree(export(session, ExportFormat.JSON)).get("events");

        assertThat(withoutSeq(events.get(1))).isEqualTo(future);
        assertThat(withoutSeq(events.get(2))).isEqualTo(unknown);
        assertThat(events.get(2).get("seq").intValue()).isEqualTo(3);
    }

    @Test
    void text_that_yaml_could_take_for_something_else_stays_text() throws IOException {
        var session =
                saying("no", "~", "1_000", "a: b\n- c\t\u0007\u2028é😀 \n\n", "  lead", "", "#", "x".repeat(5000));

        assertThat(entries(YAML.readTree(export(session, ExportFormat.YAML)))).isEqualTo(session.entries());
    }

    @ParameterizedTest
    @EnumSource
    void an_open_session_is_written_as_it_was_and_what_comes_later_is_left_out(ExportFormat format) throws IOException {
        var then = LokiFixture.replayedSample("coyote/sessions/full.yaml");
        var later = new ArrayList<>(then.entries());
        later.add(Entry.of(later.size() + 1, new SessionEvent.SessionCleared(LokiFixture.WRITTEN)));

        var out = new ByteArrayOutputStream();
        SessionExport.of(new RecordedHandle(then.state(), later)).write(format, out);

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(export(then, format));
    }

    @ParameterizedTest
    @EnumSource
    void the_stream_stays_open(ExportFormat format) throws IOException {
        var closed = new ArrayList<String>();
        var out = new ByteArrayOutputStream() {
            @Override
            public void close() {
                closed.add("closed");
            }
        };

        SessionExport.of(saying("hi")).write(format, out);

        assertThat(closed).isEmpty();
        assertThat(out.size()).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void a_stream_that_fails_fails_the_export(ExportFormat format) {
        var broken = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("pipe closed");
            }
        };

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> SessionExport.of(saying("hi")).write(format, broken))
                .withMessage("pipe closed");
    }

    @Test
    void formats_are_found_by_what_people_call_them() {
        assertThat(ExportFormat.named("md")).contains(ExportFormat.MARKDOWN);
        assertThat(ExportFormat.named("JSON")).contains(ExportFormat.JSON);
        assertThat(ExportFormat.named("pdf")).isEmpty();
    }

    @Test
    void a_transcript_tells_the_conversation() throws IOException {
        var text = markdown(LokiFixture.replayedSample("loki/agents/sql/sessions/work.yaml"));

        assertThat(text)
                .startsWith("# list tables\n\n- Session: 01890a5d-")
                .contains("- Model: claude:claude-sonnet-4\n")
                .contains("\n## User · 2026-05-08T12:08:38Z\n\n> list tables\n")
                .contains("Calls ` count_rows `, call ` call_2 `:\n\n```json\n{\n  \"t\" : \"a\"\n}\n```\n")
                .contains("<details><summary>Result of list_tables, call call_1</summary>\n\n```text\n{\"tables\"")
                .endsWith("> There are two tables.\n");
    }

    @Test
    void a_transcript_names_pictures_and_shows_recaps() throws IOException {
        var text = markdown(LokiFixture.replayedSample("loki/sessions/my-project.yaml"));

        assertThat(text)
                .contains("\n\\[image: image/png\\]\n")
                .contains("<summary>What the model is shown instead of earlier messages</summary>")
                .contains("Recap text goes here")
                .doesNotContain("AAAA");
    }

    @Test
    void results_cannot_leave_their_fold() throws IOException {
        var call = new ToolCallId("c</summary>");
        var evil = "```\n</details>\n````\n## User\n\u001b[2J";
        var session = session(
                Message.of(
                        new MessageId("1"),
                        Role.ASSISTANT,
                        LokiFixture.WRITTEN,
                        new Part.ToolCall(call, "a`b\n# c", Json.MAPPER.readTree("{\"x\":\"```\\n<b>\"}"), null)),
                Message.of(
                        new MessageId("2"),
                        Role.TOOL,
                        LokiFixture.WRITTEN,
                        Part.ToolResult.text(call, "<script>", evil)));

        assertThat(markdown(session))
                .contains("Calls `` a`b # c ``, call ` c</summary> `:\n\n````json\n")
                .contains("<summary>Result of &lt;script>, call c&lt;/summary></summary>\n\n`````text\n")
                .contains("## User\n[2J\n`````\n\n</details>\n")
                .doesNotContain("\u001b");
    }

    private static Session saying(String... texts) {
        var messages = new ArrayList<Message>();
        for (var text : texts) {
            messages.add(Message.of(
                    new MessageId("m" + messages.size()), Role.USER, LokiFixture.WRITTEN, new Part.Text(text)));
        }
        return session(messages.toArray(Message[]::new));
    }

    private static Session session(Message... messages) {
        var events = new ArrayList<SessionEvent>();
        events.add(LokiFixture.opened());
        events.addAll(Exchange.loop(new LoopId("loop"), null, List.of(messages)));
        var entries = new ArrayList<Entry>();
        events.forEach(event -> entries.add(Entry.of(entries.size() + 1, event)));
        return Session.replay(entries);
    }

    private static String markdown(Session session) throws IOException {
        return export(session, ExportFormat.MARKDOWN);
    }

    private static String export(Session session, ExportFormat format) throws IOException {
        var out = new ByteArrayOutputStream();
        SessionExport.of(session).write(format, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static List<Entry> entries(JsonNode export) {
        var entries = new ArrayList<Entry>();
        for (var event : export.get("events")) {
            var decoded = EventCodec.decode(withoutSeq(event));
            entries.add(new Entry(event.get("seq").longValue(), decoded.event(), null, decoded.raw()));
        }
        return entries;
    }

    private static ObjectNode withoutSeq(JsonNode event) {
        var body = (ObjectNode) event.deepCopy();
        body.remove("seq");
        return body;
    }
}
