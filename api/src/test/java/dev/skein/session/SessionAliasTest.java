package dev.skein.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.skein.failure.FailureKind;
import dev.skein.failure.InvalidAlias;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionAliasTest {

    private static final String EMPTY = "is empty; give at least one character";
    private static final String CONTROL = "has a control or unpaired character; use printable ones";
    private static final String DIRECTORY = "means a directory; use another";
    private static final String SLASH = "has a slash; use '-' or '_' instead";
    private static final String ENDS = "begins or ends with a space or a dot; remove it";
    private static final String LONG = "is longer than 64 characters; shorten it";
    private static final String RESERVED = "is reserved; use another";
    private static final String UUID = "is a session id; use a name that is not a UUID";

    static Stream<Arguments> rejected() {
        return Stream.concat(
                Stream.of(
                        Arguments.of("", EMPTY),
                        Arguments.of(".", DIRECTORY),
                        Arguments.of("..", DIRECTORY),
                        Arguments.of("a/b", SLASH),
                        Arguments.of("../../etc/passwd", SLASH),
                        Arguments.of("a\\b", SLASH),
                        Arguments.of("a\u0000b", CONTROL),
                        Arguments.of("a\nb", CONTROL),
                        Arguments.of("a\u007Fb", CONTROL),
                        Arguments.of("a\u0085b", CONTROL),
                        Arguments.of("a\u2028b", CONTROL),
                        Arguments.of("a\uD800b", CONTROL),
                        Arguments.of("a\u202Etxt.exe", CONTROL),
                        Arguments.of("a\u2066b", CONTROL),
                        Arguments.of(" a", ENDS),
                        Arguments.of("a ", ENDS),
                        Arguments.of(" ", ENDS),
                        Arguments.of("\u00A0a", ENDS),
                        Arguments.of("a\u3000", ENDS),
                        Arguments.of(".a", ENDS),
                        Arguments.of("a.", ENDS),
                        Arguments.of("...", ENDS),
                        Arguments.of("x".repeat(65), LONG),
                        Arguments.of("😀".repeat(65), LONG),
                        Arguments.of("01900000-0000-7000-8000-000000000001", UUID),
                        Arguments.of("01900000-0000-7000-8000-00000000000A", UUID)),
                Stream.of(
                                "con",
                                "CON",
                                "prn",
                                "aux",
                                "nul",
                                "Nul",
                                "com1",
                                "com9",
                                "lpt1",
                                "LPT9",
                                "con.txt",
                                "nul.tar.gz",
                                "index",
                                "INDEX",
                                "metadata",
                                "last_session",
                                "Last_Session",
                                "temp",
                                "Temp",
                                "ındex")
                        .map(name -> Arguments.of(name, RESERVED)));
    }

    @ParameterizedTest
    @MethodSource("rejected")
    void a_bad_name_is_rejected_with_a_sentence_that_says_why(String text, String why) {
        assertThatExceptionOfType(InvalidAlias.class)
                .isThrownBy(() -> new SessionAlias(text))
                .withMessageStartingWith("the name '")
                .withMessageEndingWith("' " + why)
                .satisfies(failure -> assertThat(failure.kind()).isEqualTo(FailureKind.INVALID_REQUEST))
                .satisfies(failure -> assertThat(failure.code()).isEqualTo("session.invalid_alias"))
                .satisfies(failure -> assertThat(failure.getMessage().codePoints())
                        .noneMatch(c -> Character.getType(c) == Character.CONTROL
                                || Character.getType(c) == Character.FORMAT
                                || Character.getType(c) == Character.SURROGATE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "my session",
                "a.b",
                "a..b",
                "Ünïcödé",
                "日本語のセッション",
                "😀",
                "-",
                "_",
                "com0",
                "com10",
                "console",
                "indexes",
                "temp2",
                "telegram_-100123",
                "हिन्दी",
                "01900000",
                "a:b*c?",
                "00000000-0000-0000-0000"
            })
    void a_good_name_is_kept_as_it_is(String text) {
        assertThat(new SessionAlias(text)).hasToString(text);
    }

    @Test
    void length_is_counted_in_characters_as_people_count_them() {
        assertThat(new SessionAlias("😀".repeat(64)).text()).hasSize(128);
        assertThat(new SessionAlias("e\u0301".repeat(64)).text()).isEqualTo("é".repeat(64));
    }

    @Test
    void names_are_normalised_so_that_two_spellings_are_one() {
        assertThat(new SessionAlias("cafe\u0301")).isEqualTo(new SessionAlias("caf\u00E9"));
        assertThat(new SessionAlias("\u212B")).hasToString("\u00C5");
    }

    static Stream<Arguments> colliding() {
        return Stream.of(
                Arguments.of("Work", "wORK"),
                Arguments.of("CAFE\u0301", "caf\u00E9"),
                Arguments.of("STRASSE", "straße"),
                Arguments.of("ΟΔΟΣ", "οδος"),
                Arguments.of("οδοσ", "οδος"),
                Arguments.of("\u01F0", "J\u030C"));
    }

    @ParameterizedTest
    @MethodSource("colliding")
    void names_that_differ_in_case_or_normalisation_collide(String one, String other) {
        assertThat(new SessionAlias(one).folded()).isEqualTo(new SessionAlias(other).folded());
    }

    @Test
    void other_names_do_not_collide() {
        assertThat(new SessionAlias("cafe").folded()).isNotEqualTo(new SessionAlias("café").folded());
    }

    static Stream<Arguments> sanitized() {
        return Stream.of(
                Arguments.of("Fix the Login Bug!", "fix-the-login-bug"),
                Arguments.of("  a  --  b  ", "a-b"),
                Arguments.of("../../etc/passwd", "etc-passwd"),
                Arguments.of("..hidden..", "hidden"),
                Arguments.of("Größe: 42 µm", "größe-42-µm"),
                Arguments.of("हिन्दी भाषा", "हिन्दी-भाषा"),
                Arguments.of("snake_case.txt", "snake_case.txt"),
                Arguments.of("a\u0000\uD800\u202Eb", "a-b"),
                Arguments.of("x".repeat(100), "x".repeat(64)),
                Arguments.of("x".repeat(63) + " y", "x".repeat(63)));
    }

    @ParameterizedTest
    @MethodSource("sanitized")
    void free_text_becomes_a_name(String free, String expected) {
        assertThat(SessionAlias.sanitize(free)).contains(new SessionAlias(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "!!!", "...", "---", "temp", "CON", "01900000-0000-7000-8000-000000000001"})
    void text_without_a_usable_name_gives_none(String free) {
        assertThat(SessionAlias.sanitize(free)).isEmpty();
    }

    @Test
    void whatever_comes_in_sanitizing_gives_a_valid_name_or_none() {
        var random = new Random(42);
        for (int i = 0; i < 20_000; i++) {
            var text = new StringBuilder();
            for (int length = random.nextInt(90); length > 0; length--) {
                text.append((char) random.nextInt(random.nextBoolean() ? 128 : 0x10000));
            }
            var alias = SessionAlias.sanitize(text.toString());
            alias.ifPresent(name -> assertThat(new SessionAlias(name.text())).isEqualTo(name));
        }
    }

    @Test
    void a_chat_on_a_channel_has_a_name() {
        assertThat(SessionAlias.ofChannel("telegram", "42")).hasToString("telegram_42");
        assertThatExceptionOfType(InvalidAlias.class).isThrownBy(() -> SessionAlias.ofChannel("telegram", "a/b"));
    }
}
