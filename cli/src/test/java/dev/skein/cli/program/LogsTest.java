package dev.skein.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class LogsTest {

    private final LoggerContext context = new LoggerContext();

    @Test
    void logs_are_found_and_tell_warnings_and_nothing_of_what_is_not_for_people() {
        var found = ServiceLoader.load(Configurator.class).stream()
                .filter(provider -> provider.type() == Logs.class)
                .findAny()
                .orElseThrow()
                .get();

        found.configure(context);

        assertThat(context.getLogger("dev.skein").isWarnEnabled()).isTrue();
        assertThat(context.getLogger("dev.skein").isInfoEnabled()).isFalse();
        assertThat(context.getLogger("org.apache.pdfbox.any").isErrorEnabled()).isFalse();
        assertThat(context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender("stderr"))
                .isNotNull();
    }

    @Test
    void a_line_of_the_log_is_one_sentence_that_moves_no_cursor() {
        var event = new LoggingEvent(
                "",
                context.getLogger("a"),
                Level.WARN,
                "a \u001b[2J{}\r\nß",
                new IllegalStateException("x"),
                new Object[] {"\u009bb"});

        var line = new String(new Logs.Sentences().encode(event), StandardCharsets.UTF_8);

        assertThat(line).isEqualTo("skein: a  [2J b ß" + System.lineSeparator());
    }
}
