package dev.skein.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.SessionEvent;
import dev.skein.wire.Samples.Fill;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class EventCodecTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final LoopId LOOP = new LoopId("l");

    static List<Class<?>> types() {
        return Samples.types();
    }

    @ParameterizedTest
    @MethodSource("types")
    void every_event_comes_back_as_it_was(Class<?> type) {
        for (var fill : Fill.values()) {
            for (long seed = 0; seed < 70; seed++) {
                var event = new Samples(seed, fill).event(type);

                var decoded = decode(EventCodec.encode(event, null));

                assertThat(decoded).as("seed %d", seed).isEqualTo(new EventCodec.Decoded(event, null));
                assertThat(EventCodec.decode(EventCodec.tree(event, null))).isEqualTo(decoded);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void what_is_written_by_hand_is_what_binding_writes(Class<?> type) {
        for (var fill : Fill.values()) {
            var buffer = new EventBuffer();
            for (long seed = 0; seed < 70; seed++) {
                var event = new Samples(seed, fill).event(type);
                var bound = new String(EventCodec.encode(event, null), UTF_8);

                buffer.reset();
                buffer.writeFields(event);

                assertThat("{" + buffer.toString(UTF_8).substring(1) + "}").isEqualTo(bound);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void an_event_is_one_line_that_begins_with_its_type(Class<?> type) {
        var event = new Samples(1, Fill.EVERYTHING).event(type);

        var line = new String(EventCodec.encode(event, null), UTF_8);

        assertThat(line)
                .startsWith("{\"type\":\"" + EventCodec.typeOf(event) + "\",")
                .doesNotContain("\n", "\r");
        assertThat(EventCodec.typeOf(event)).matches("[a-z]+(_[a-z]+)*");
    }

    @ParameterizedTest
    @MethodSource("types")
    void unknown_fields_at_every_level_survive(Class<?> type) {
        for (long seed = 0; seed < 50; seed++) {
            var event = new Samples(seed, Fill.EVERYTHING).event(type);
            var newer = EventCodec.tree(event, null);
            sprinkle(newer);

            var decoded = decode(bytes(newer));

            assertThat(decoded.event()).isEqualTo(event);
            assertThat(Json.MAPPER.readTree(EventCodec.encode(decoded.event(), decoded.raw())))
                    .isEqualTo(Json.MAPPER.readTree(bytes(newer)));
        }
    }

    /// Adds a field nobody knows to every object but those that are free-form anyway.
    private static void sprinkle(JsonNode node) {
        if (node instanceof ObjectNode object) {
            if (!isFreeForm(object)) {
                object.put("from_the_future", 42);
            }
            object.forEachEntry((name, value) -> {
                if (!List.of("metadata", "extra", "agent_variables", "args", "arguments", "data", "schema")
                        .contains(name)) {
                    sprinkle(value);
                }
            });
        } else if (node.isArray()) {
            node.forEach(EventCodecTest::sprinkle);
        }
    }

    private static boolean isFreeForm(ObjectNode object) {
        return object.path("type").asString("").equals("hologram");
    }

    @ParameterizedTest
    @MethodSource("types")
    void a_field_order_of_another_writer_is_read_as_well(Class<?> type) {
        var event = new Samples(3, Fill.EVERYTHING).event(type);
        var typeLast = EventCodec.tree(event, null);
        typeLast.remove("type");
        typeLast.put("type", EventCodec.typeOf(event));

        assertThat(decode(bytes(typeLast)).event()).isEqualTo(event);
    }

    @Test
    void an_event_of_an_unknown_type_is_kept_whole() {
        var json = "{\"type\":\"session_teleported\",\"at\":\"2026-01-01T12:00:00Z\","
                + "\"to\":{\"planet\":\"Mars\"},\"n\":null}";

        var decoded = decode(json);

        assertThat(decoded.event()).isInstanceOfSatisfying(SessionEvent.Opaque.class, opaque -> {
            assertThat(opaque.type()).isEqualTo("session_teleported");
            assertThat(opaque.at()).isEqualTo(NOON);
        });
        assertThat(reencoded(decoded)).isEqualTo(json);
        assertThat(EventCodec.typeOf(decoded.event())).isEqualTo("session_teleported");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"loop_ended\",\"at\":\"2026-01-01T12:00:00Z\",\"loop\":\"l\",\"status\":\"paused\"}",
                "{\"type\":\"loop_ended\",\"at\":\"2026-01-01T12:00:00Z\",\"loop\":\"l\",\"status\":\"running\"}",
                "{\"type\":\"loop_ended\",\"at\":\"2026-01-01T12:00:00Z\",\"loop\":\"l\"}",
                "{\"type\":\"loop_ended\",\"at\":\"yesterday\",\"loop\":\"l\",\"status\":\"completed\"}",
                "{\"type\":\"loop_ended\",\"at\":\"2026-01-01T12:00:00Z\",\"loop\":\"\",\"status\":\"completed\"}",
                "{\"type\":\"loop_ended\",\"at\":\"2026-01-01T12:00:00Z\",\"loop\":{},\"status\":\"completed\"}",
                "{\"type\":\"message_ended\",\"at\":\"2026-01-01T12:00:00Z\",\"loop\":\"l\",\"turn\":0,"
                        + "\"message\":{\"id\":\"m\",\"role\":\"oracle\",\"at\":\"2026-01-01T12:00:00Z\","
                        + "\"parts\":[]}}",
                "{\"type\":\"message_ended\",\"at\":\"2026-01-01T12:00:00Z\",\"loop\":\"l\",\"turn\":0,"
                        + "\"message\":{\"role\":\"user\"}}",
                "{\"type\":\"compaction_block_set\",\"at\":\"2026-01-01T12:00:00Z\",\"block\":{\"id\":\"b\"}}",
                "{\"type\":\"head_moved\",\"at\":\"2026-01-01T12:00:00Z\",\"head\":{\"seq\":3}}",
                "{\"type\":\"turn_ended\",\"at\":\"2026-01-01T12:00:00Z\",\"loop\":\"l\",\"turn\":0,"
                        + "\"cost\":1E+999999999}",
                "{\"type\":\"future\",\"precise\":0.1000000000000000055511151231257827,\"zeros\":1.500}",
                "{\"type\":\"\"}",
                "{\"type\":7}"
            })
    void an_event_that_does_not_fit_is_kept_whole(String json) {
        var decoded = decode(json);

        assertThat(decoded.event()).isInstanceOf(SessionEvent.Opaque.class);
        assertThat(reencoded(decoded)).isEqualTo(json);
    }

    @Test
    void an_object_without_a_type_is_kept_with_an_empty_one() {
        assertThat(reencoded(decode("{\"x\":1}"))).isEqualTo("{\"type\":\"\",\"x\":1}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "null", "[]", "7", "{", "{\"type\":\"loop_ended\"", "{}{}", "{\"type\":\"x\"}]"})
    void what_is_not_a_json_object_is_refused(String json) {
        assertThatExceptionOfType(JacksonException.class).isThrownBy(() -> decode(json));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"hologram\",\"x\":[1,{\"y\":2}]}",
                "{\"x\":1,\"type\":\"hologram\"}",
                "{\"type\":{\"odd\":1},\"x\":2}",
                "{\"type\":[1],\"x\":2}",
                "{\"type\":null,\"x\":2}",
                "{\"x\":2}",
                "{}"
            })
    void a_part_of_an_unknown_kind_is_kept_beside_the_others(String part) {
        var json = message("[" + part + ",{\"type\":\"text\",\"text\":\"hello\"}]");

        var decoded = decode(json);

        assertThat(decoded.event())
                .isInstanceOfSatisfying(
                        LoopEvent.MessageEnded.class,
                        ended -> assertThat(ended.message().parts())
                                .satisfiesExactly(
                                        unknown -> assertThat(unknown).isInstanceOf(Part.Unknown.class),
                                        text -> assertThat(text).isEqualTo(new Part.Text("hello"))));
        assertThat(reencoded(decoded)).isEqualTo(json);
    }

    @Test
    void a_known_part_may_name_its_type_last_and_have_unknown_fields() {
        var json = message("[{\"text\":\"hello\",\"sparkle\":true,\"type\":\"text\"}]");

        var decoded = decode(json);

        assertThat(((LoopEvent.MessageEnded) decoded.event()).message().parts())
                .containsExactly(new Part.Text("hello"));
        assertThat(Json.MAPPER.readTree(reencoded(decoded))).isEqualTo(Json.MAPPER.readTree(json));
    }

    @Test
    void decoding_reads_only_the_given_range() {
        var event = new LoopEvent.InputRejected(NOON, LOOP, "no");
        var line = EventCodec.encode(event, null);
        var padded = new byte[line.length + 20];
        System.arraycopy(line, 0, padded, 10, line.length);

        assertThat(EventCodec.decode(padded, 10, 10 + line.length).event()).isEqualTo(event);
    }

    @Test
    void what_nests_too_deep_to_be_read_is_not_written() {
        var deep = JsonNodeFactory.instance.objectNode();
        var inner = deep;
        for (int i = 0; i < Json.DEPTH_MAX; i++) {
            inner = inner.putObject("a");
        }
        var event = new LoopEvent.ToolStarted(NOON, LOOP, 0, new ToolCallId("c"), "tool", deep);

        assertThatExceptionOfType(JacksonException.class).isThrownBy(() -> EventCodec.encode(event, null));
    }

    @Test
    void a_number_that_would_be_too_long_when_it_is_written_is_refused() {
        var digits = "6".repeat(990);

        assertThatExceptionOfType(JacksonException.class).isThrownBy(() -> decode("{\"a\":" + digits + ".1666E62}"));
        var most = decode("{\"type\":\"other\",\"a\":" + digits + ".1}");
        assertThat(decode(reencoded(most)).event()).isEqualTo(most.event());
    }

    @Test
    void a_long_text_survives() {
        var message = Message.of(new MessageId("m"), Role.USER, NOON, "x".repeat(25_000_000));
        var event = new LoopEvent.MessageEnded(NOON, LOOP, 0, message);

        assertThat(decode(EventCodec.encode(event, null)).event()).isEqualTo(event);
    }

    private static String message(String parts) {
        return "{\"type\":\"message_ended\",\"at\":\"2026-01-01T12:00:00Z\",\"loop\":\"l\",\"turn\":0,\"message\":"
                + "{\"id\":\"m\",\"role\":\"user\",\"at\":\"2026-01-01T12:00:00Z\",\"parts\":" + parts + "}}";
    }

    private static String reencoded(EventCodec.Decoded decoded) {
        return new String(EventCodec.encode(decoded.event(), decoded.raw()), UTF_8);
    }

    private static EventCodec.Decoded decode(String json) {
        return decode(json.getBytes(UTF_8));
    }

    private static EventCodec.Decoded decode(byte[] json) {
        return EventCodec.decode(json, 0, json.length);
    }

    private static byte[] bytes(ObjectNode node) {
        return Json.MAPPER.writeValueAsBytes(node);
    }
}
