package dev.skein.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.InvalidRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When a cron expression is due. `-Dskein.cron=20000` tries so many expressions, `-Dskein.seed=` others.
class CronTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            * * * * *          | 2026-11-16T10:07:30Z | 2026-11-16T10:08:00Z
            */15 * * * *       | 2026-11-16T10:07:30Z | 2026-11-16T10:15:00Z
            0 9 * * MON-FRI    | 2026-11-13T09:00:00Z | 2026-11-16T09:00:00Z
            30 8,18 * * *      | 2026-11-16T10:00:00Z | 2026-11-16T18:30:00Z
            0-30/10 9 * * *    | 2026-11-16T09:20:00Z | 2026-11-16T09:30:00Z
            0 0 1 jan *        | 2026-11-16T00:00:00Z | 2027-01-01T00:00:00Z
            0 0 * * 7          | 2026-11-16T00:00:00Z | 2026-11-22T00:00:00Z
            0 0 29 2 *         | 2026-11-16T00:00:00Z | 2028-02-29T00:00:00Z
            0 0 29 2 *         | 2096-03-01T00:00:00Z | 2104-02-29T00:00:00Z
            0 0 13 * FRI       | 2026-11-10T00:00:00Z | 2026-11-13T00:00:00Z
            0 0 13 * FRI       | 2026-11-13T00:00:00Z | 2026-11-20T00:00:00Z
            0 0 */2 * FRI      | 2026-11-10T00:00:00Z | 2026-11-13T00:00:00Z
            0 0 */2 * FRI      | 2026-11-13T00:00:00Z | 2026-11-27T00:00:00Z
            @hourly            | 2026-11-16T10:00:00Z | 2026-11-16T11:00:00Z
            @daily             | 2026-11-16T10:00:00Z | 2026-11-17T00:00:00Z
            @weekly            | 2026-11-16T10:00:00Z | 2026-11-22T00:00:00Z
            @monthly           | 2026-11-16T10:00:00Z | 2026-12-01T00:00:00Z
            @yearly            | 2026-11-16T10:00:00Z | 2027-01-01T00:00:00Z
            """)
    void the_next_moment_is_the_first_that_fits(String cron, Instant after, Instant next) {
        assertThat(Cron.parse(cron).next(after, ZoneOffset.UTC)).contains(next);
    }

    @Test
    void what_is_due_in_an_hour_that_is_left_out_comes_once_and_as_much_later() {
        var cron = Cron.parse("30 2 * * *");
        assertThat(due(cron, "2026-03-28T00:00", "2026-03-31T00:00"))
                .containsExactly("2026-03-28T02:30+01:00", "2026-03-29T03:30+02:00", "2026-03-30T02:30+02:00");
        assertThat(due(Cron.parse("30 2,3 * * *"), "2026-03-29T00:00", "2026-03-30T00:00"))
                .containsExactly("2026-03-29T03:30+02:00");
    }

    @Test
    void what_is_due_in_an_hour_that_comes_twice_comes_the_first_time() {
        var cron = Cron.parse("30 2 * * *");
        assertThat(due(cron, "2026-10-24T12:00", "2026-10-26T12:00"))
                .containsExactly("2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00");
    }

    @Test
    void what_is_due_every_hour_comes_every_hour_whatever_clocks_do() {
        var cron = Cron.parse("30 * * * *");
        assertThat(due(cron, "2026-10-25T01:00", "2026-10-25T04:00"))
                .containsExactly(
                        "2026-10-25T01:30+02:00",
                        "2026-10-25T02:30+02:00",
                        "2026-10-25T02:30+01:00",
                        "2026-10-25T03:30+01:00");
        assertThat(due(cron, "2026-03-29T01:00", "2026-03-29T04:00"))
                .containsExactly("2026-03-29T01:30+01:00", "2026-03-29T03:30+02:00");
    }

    private static List<String> due(Cron cron, String from, String to) {
        var end = LocalDateTime.parse(to).atZone(BERLIN).toInstant();
        var due = new ArrayList<String>();
        var next = cron.next(LocalDateTime.parse(from).atZone(BERLIN).toInstant(), BERLIN)
                .orElseThrow();
        while (next.isBefore(end)) {
            due.add(next.atZone(BERLIN).toOffsetDateTime().toString());
            next = cron.next(next, BERLIN).orElseThrow();
        }
        return due;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            60 * * * *      | the minute '60' cannot be understood: '60' is not from 0 to 59
            * 24 * * *      | '24' is not from 0 to 23
            * * 0 * *       | '0' is not from 1 to 31
            * * * 13 *      | '13' is not from 1 to 12 or JAN to DEC
            * * * * MOON    | 'MOON' is not from 0 to 7 or SUN to SAT
            * * * * FRI-MON | 'FRI-MON' goes backwards; write it as two ranges with a comma
            5/10 * * * *    | a step needs a range or a star before it
            */0 * * * *     | the step '0' is not a number from 1 to 59
            1,,2 * * * *    | '' is not from 0 to 59
            -1 * * * *      | '' is not from 0 to 59
            * * *           | has 3 fields, not five
            * * * * * *     | has 6 fields, not five
            0 0 31 2 *      | '0 0 31 2 *' is never due: none of its months has such a day
            0 0 31 4,6 *    | is never due
            0 0 L * *       | 'L' is not from 1 to 31
            @reboot         | '@reboot' is no time; there are @annually, @daily
            ٣ * * * *       | '٣' is not from 0 to 59
            """)
    void what_cannot_be_is_refused_with_the_reason(String cron, String reason) {
        assertThatThrownBy(() -> Cron.parse(cron))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining(reason);
    }

    /// Minute by minute, with a rule of its own, around days on which clocks are set.
    @Test
    void nothing_due_is_passed_over_and_nothing_else_is_due() {
        var random = new Random(Long.getLong("skein.seed", 20261116L));
        for (int i = 0; i < Integer.getInteger("skein.cron", 250); i++) {
            var place = PLACES.get(random.nextInt(PLACES.size()));
            var cron = Cron.parse(expression(random));
            var from = LocalDateTime.parse(place.around())
                    .atZone(place.zone())
                    .minusMinutes(random.nextInt(2 * 24 * 60))
                    .toInstant();
            var expected = from;
            do {
                expected = expected.plusSeconds(60);
            } while (!isDue(cron, expected, place.zone())
                    && Duration.between(from, expected).toDays() < 4);
            var next = cron.next(from, place.zone()).orElseThrow();

            if (isDue(cron, expected, place.zone())) {
                assertThat(next)
                        .as("%s after %s in %s", cron, from, place.zone())
                        .isEqualTo(expected);
            } else {
                assertThat(next)
                        .as("%s after %s in %s", cron, from, place.zone())
                        .isAfter(expected);
                assertThat(isDue(cron, next, place.zone())).isTrue();
            }
            assertThat(new When.Repeated(cron, place.zone()).latest(from, next)).contains(next);
            assertThat(new When.Repeated(cron, place.zone()).latest(from, next.minusSeconds(1)))
                    .isEmpty();
        }
    }

    private record Place(ZoneId zone, String around) {
        static Place of(String zone, String around) {
            return new Place(ZoneId.of(zone), around);
        }
    }

    /// Where clocks were set by an hour, by half an hour, at midnight, before midnight, and by a day.
    private static final List<Place> PLACES = List.of(
            Place.of("Europe/Berlin", "2026-03-29T12:00"),
            Place.of("Europe/Berlin", "2026-10-25T12:00"),
            Place.of("America/New_York", "2026-11-01T12:00"),
            Place.of("Australia/Lord_Howe", "2026-10-04T12:00"),
            Place.of("Australia/Lord_Howe", "2026-04-05T12:00"),
            Place.of("Africa/Cairo", "2025-04-25T12:00"),
            Place.of("America/Toronto", "1919-03-31T12:00"),
            Place.of("Pacific/Apia", "2011-12-31T12:00"),
            Place.of("Asia/Kolkata", "2026-11-16T12:00"));

    private static boolean isDue(Cron cron, Instant moment, ZoneId zone) {
        var whole = moment.atZone(zone);
        var everyHour = IntStream.range(0, 24).allMatch(cron.hours()::has);
        var again = !everyHour && !whole.withEarlierOffsetAtOverlap().equals(whole);
        if (fits(cron, whole.toLocalDateTime()) && !again) {
            return true;
        }
        // Was it left out? Then a clock that nobody set would show it now.
        var transition = zone.getRules().previousTransition(moment.plusSeconds(1));
        if (everyHour || transition == null || !transition.isGap()) {
            return false;
        }
        var unset = LocalDateTime.ofInstant(moment, transition.getOffsetBefore());
        return unset.isBefore(transition.getDateTimeAfter()) && fits(cron, unset);
    }

    private static boolean fits(Cron cron, LocalDateTime time) {
        var fields = Arrays.asList(cron.text().split(" "));
        var inMonth = cron.days().has(time.getDayOfMonth());
        var inWeek = cron.week().has(time.getDayOfWeek().getValue() % 7);
        var both = fields.get(2).contains("*") || fields.get(4).contains("*");
        return cron.minutes().has(time.getMinute())
                && cron.hours().has(time.getHour())
                && cron.months().has(time.getMonthValue())
                && (both ? inMonth && inWeek : inMonth || inWeek);
    }

    private static String expression(Random random) {
        return String.join(
                " ",
                field(random, 0, 59),
                field(random, 0, 23),
                random.nextInt(3) > 0 ? "*" : field(random, 1, 28),
                random.nextInt(4) > 0 ? "*" : field(random, 1, 12),
                random.nextInt(3) > 0 ? "*" : field(random, 0, 7));
    }

    private static String field(Random random, int least, int most) {
        var one = least + random.nextInt(most - least + 1);
        var other = one + random.nextInt(most - one + 1);
        return switch (random.nextInt(6)) {
            case 0 -> "*";
            case 1 -> "*/" + (1 + random.nextInt(most));
            case 2 -> one + "-" + other;
            case 3 -> one + "-" + other + "/" + (1 + random.nextInt(most));
            case 4 -> one + "," + other + "," + least;
            default -> String.format(Locale.ROOT, "%02d", one);
        };
    }

    @Test
    void one_moment_is_due_once() {
        var moment = Instant.parse("2026-11-16T09:00:00Z");
        var once = new When.Once(moment);

        assertThat(once.next(moment.minusSeconds(1))).contains(moment);
        assertThat(once.next(moment)).isEmpty();
        assertThat(once.latest(moment.minusSeconds(86_400), moment.plusSeconds(60)))
                .contains(moment);
        assertThat(once.latest(moment, moment.plusSeconds(60))).isEmpty();
    }
}
