package dev.skein.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.SessionEvent;
import dev.skein.wire.Samples.Fill;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// For every field of every event: it may be missing or not, it is left out when it is not set, and it does not
/// mind an unknown one beside it.
class FieldRulesTest {

    static Stream<Arguments> optional() {
        return fields(true);
    }

    static Stream<Arguments> required() {
        return fields(false).filter(field -> !DEFAULTED.contains(field.get()[1]) && !isPrimitive(field));
    }

    /// Not nullable in Java, but with a sensible value when the wire has none.
    private static final List<String> DEFAULTED =
            List.of("metadata", "formation", "continuation", "trigger", "args", "partial", "evaluation_usage", "usage");

    @ParameterizedTest
    @MethodSource("optional")
    void an_event_without_an_optional_field_is_read(Class<?> type, String field) {
        var json = full(type);
        json.remove(field);

        assertThat(EventCodec.decode(json).event()).isInstanceOf(type);
    }

    @ParameterizedTest
    @MethodSource("optional")
    void a_null_is_the_same_as_a_missing_field(Class<?> type, String field) {
        var without = full(type);
        without.remove(field);
        var withNull = full(type);
        withNull.putNull(field);

        assertThat(EventCodec.decode(withNull)).isEqualTo(EventCodec.decode(without));
    }

    @ParameterizedTest
    @MethodSource("optional")
    void an_optional_field_that_is_not_set_is_not_written(Class<?> type, String field) {
        var bare = new Samples(5, Fill.NOTHING_OPTIONAL).event(type);

        assertThat(EventCodec.tree(bare, null).has(field)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("required")
    void an_event_without_a_required_field_is_kept_as_opaque(Class<?> type, String field) {
        var json = full(type);
        json.remove(field);

        var decoded = EventCodec.decode(json);

        assertThat(decoded.event()).isInstanceOf(SessionEvent.Opaque.class);
        assertThat(EventCodec.tree(decoded.event(), null)).isEqualTo(json);
    }

    @ParameterizedTest
    @MethodSource("optional")
    void an_unknown_field_beside_it_does_no_harm(Class<?> type, String field) {
        var json = full(type);
        json.put(field + "_from_the_future", 1);

        var decoded = EventCodec.decode(json);

        assertThat(decoded.event()).isInstanceOf(type);
        assertThat(EventCodec.tree(decoded.event(), decoded.raw())).isEqualTo(json);
    }

    @Test
    void defaulted_fields_may_be_missing_too() {
        for (var type : Samples.types()) {
            var json = full(type);
            DEFAULTED.forEach(json::remove);

            assertThat(EventCodec.decode(json).event()).isInstanceOf(type);
        }
    }

    private static ObjectNode full(Class<?> type) {
        return EventCodec.tree(new Samples(5, Fill.EVERYTHING).event(type), null);
    }

    private static Stream<Arguments> fields(boolean optional) {
        var fields = new ArrayList<Arguments>();
        for (var type : Samples.types()) {
            Arrays.stream(type.getRecordComponents())
                    .filter(component -> component.getAnnotatedType().isAnnotationPresent(Nullable.class) == optional)
                    .forEach(component -> fields.add(Arguments.of(type, wireName(component))));
        }
        return fields.stream();
    }

    private static boolean isPrimitive(Arguments field) {
        return Arrays.stream(((Class<?>) field.get()[0]).getRecordComponents())
                .anyMatch(component ->
                        component.getType().isPrimitive() && wireName(component).equals(field.get()[1]));
    }

    private static String wireName(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
