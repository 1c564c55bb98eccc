package dev.skein.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.skein.message.MessageId;
import dev.skein.message.ToolCallId;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdsTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static Ids ids(Instant at, long seed) {
        return new Ids(Clock.fixed(at, ZoneOffset.UTC), new Random(seed));
    }

    @Test
    void a_new_session_id_is_a_uuid_of_version_7_that_holds_its_birth() {
        var uuid = ids(NOON, 1).session().uuid();

        assertThat(uuid.version()).isEqualTo(7);
        assertThat(uuid.variant()).isEqualTo(2);
        assertThat(uuid.getMostSignificantBits() >>> 16).isEqualTo(NOON.toEpochMilli());
    }

    @Test
    void ids_sort_by_birth() {
        assertThat(ids(NOON, 1).session()).isLessThan(ids(NOON.plusMillis(1), 2).session());
    }

    @Test
    void the_same_clock_and_seed_give_the_same_ids() {
        assertThat(ids(NOON, 7).session()).isEqualTo(ids(NOON, 7).session());
        assertThat(ids(NOON, 7).loop()).isEqualTo(ids(NOON, 7).loop());
        assertThat(ids(NOON, 7).message()).isEqualTo(ids(NOON, 7).message());
    }

    @Test
    void ten_thousand_ids_of_one_millisecond_differ() {
        var ids = ids(NOON, 1);
        var seen = new HashSet<SessionId>();
        for (int i = 0; i < 10_000; i++) {
            seen.add(ids.session());
        }

        assertThat(seen).hasSize(10_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01900000-0000-7000-8000-000000000001",
                "123e4567-e89b-12d3-a456-426614174000",
                "00000000-0000-0000-0000-000000000000",
                "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"
            })
    void any_uuid_is_a_session_id_printed_in_lower_case(String text) {
        assertThat(SessionId.of(text)).hasToString(text.toLowerCase(java.util.Locale.ROOT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1-1-1-1-1",
                "01900000000070008000000000000001",
                "{01900000-0000-7000-8000-000000000001}",
                " 01900000-0000-7000-8000-000000000001",
                "01900000-0000-7000-8000-00000000000g",
                "０1900000-0000-7000-8000-000000000001"
            })
    void anything_else_is_not(String text) {
        assertThat(SessionId.parse(text)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SessionId.of(text))
                .withMessageContaining("not a session id");
    }

    @Test
    void imported_ids_are_kept_verbatim_however_odd() {
        assertThat(new LoopId("../täst loop\u0000#1")).hasToString("../täst loop\u0000#1");
        assertThat(new MessageId("msg_01:α")).hasToString("msg_01:α");
        assertThat(new ToolCallId("toolu_{1}")).hasToString("toolu_{1}");
    }

    @Test
    void ids_are_never_blank() {
        assertThatIllegalArgumentException().isThrownBy(() -> new LoopId(" "));
        assertThatIllegalArgumentException().isThrownBy(() -> new MessageId(""));
        assertThatIllegalArgumentException().isThrownBy(() -> new ToolCallId("\t"));
        assertThatIllegalArgumentException().isThrownBy(() -> new TurnId(new LoopId("a"), -1));
    }
}
