package dev.skein.server.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import dev.skein.redaction.Redaction;
import dev.skein.wire.Json;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import tools.jackson.databind.JsonNode;

class JsonLogsTest {

    private static final String SECRET = "tr0ub4dor-and-3-more";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<Appender<ILoggingEvent>> before = new ArrayList<>();

    private static ch.qos.logback.classic.Logger root() {
        return ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(Logger.ROOT_LOGGER_NAME);
    }

    @BeforeEach
    void install() {
        root().iteratorForAppenders().forEachRemaining(before::add);
        JsonLogs.install(out, "INFO", Redaction.of(Map.of("PASSWORD", SECRET)));
    }

    @AfterEach
    void restore() {
        root().detachAndStopAllAppenders();
        before.forEach(appender -> {
            appender.start();
            root().addAppender(appender);
        });
        root().setLevel(ch.qos.logback.classic.Level.WARN);
    }

    @Test
    void nothing_that_is_logged_can_break_its_line_or_tell_a_secret() {
        var log = LoggerFactory.getLogger("some.Class");
        log.info("first\r\nsecond \u001b[31m \"quoted\" {}", SECRET);
        log.error("it failed", new IllegalStateException("with " + SECRET));
        log.debug("too much");

        assertThat(lines()).hasSize(2);
        assertThat(lines().getFirst().path("message").asString())
                .contains("first\r\nsecond")
                .contains("\"quoted\"");
        assertThat(lines().getLast().path("trace").asString()).contains("IllegalStateException", "JsonLogsTest");
        assertThat(out.toString(UTF_8)).doesNotContain(SECRET).doesNotContain("\u001b");
    }

    @Test
    void a_line_has_the_ids_of_what_it_is_about() {
        MDC.put("request_id", "r-1");
        MDC.put("loop_id", "l-1");
        try {
            LoggerFactory.getLogger("some.Class").warn("careful");
        } finally {
            MDC.clear();
        }

        assertThat(lines().getFirst().path("request_id").asString()).isEqualTo("r-1");
        assertThat(lines().getFirst().path("loop_id").asString()).isEqualTo("l-1");
    }

    @Test
    void what_the_web_server_logs_in_its_own_way_comes_here_too() {
        System.getLogger("io.helidon.webserver.http.HttpRouting").log(System.Logger.Level.WARNING, "from far away");
        java.util.logging.Logger.getLogger("io.helidon.webserver.Anything").warning("from near");

        assertThat(lines())
                .extracting(line -> line.path("message").asString())
                .containsExactly("from far away", "from near");
        assertThat(lines().getFirst().path("logger").asString()).isEqualTo("io.helidon.webserver.http.HttpRouting");
    }

    private List<JsonNode> lines() {
        return out.toString(UTF_8).lines().map(Json.MAPPER::readTree).toList();
    }
}
