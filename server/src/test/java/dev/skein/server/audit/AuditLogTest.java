package dev.skein.server.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.skein.redaction.Redaction;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-16T12:00:00Z"), ZoneOffset.UTC);
    private static final String NASTY =
            "a\r\nb\"}\u001b[31mred\u001b]52;c;x\u0007\u009b31m\u007f\u2028\u202e{\"time\":1}";

    @TempDir
    Path home;

    private final AtomicInteger lost = new AtomicInteger();

    @Test
    void an_entry_is_a_line_that_tells_who_did_what() throws IOException {
        try (var log = open(AuditLog.Options.STANDARD, Redaction.SHAPES)) {
            log.add(new AuditEntry("POST /v1/sessions", "ann", "KEY:1234", "s-1", "201", "r-1", "10.0.0.1"));
            log.add(AuditEntry.ofServer("settings.reload", "ok"));
        }

        assertThat(Files.readAllLines(file()))
                .containsExactly(
                        "{\"time\":\"2026-11-16T12:00:00Z\",\"action\":\"POST /v1/sessions\",\"subject\":\"ann\","
                                + "\"proof\":\"KEY:1234\",\"session\":\"s-1\",\"outcome\":\"201\","
                                + "\"request_id\":\"r-1\","
                                + "\"remote\":\"10.0.0.1\"}",
                        "{\"time\":\"2026-11-16T12:00:00Z\",\"action\":\"settings.reload\",\"outcome\":\"ok\"}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(lost).hasValue(0);
    }

    @Test
    void attack_19_no_content_breaks_a_line_or_reaches_a_terminal() throws IOException {
        try (var log = open(AuditLog.Options.STANDARD, Redaction.SHAPES)) {
            log.add(new AuditEntry(NASTY, NASTY, NASTY, NASTY, NASTY, NASTY, NASTY));
        }

        var bytes = Files.readAllBytes(file());
        for (int i = 0; i < bytes.length - 1; i++) {
            assertThat(bytes[i]).isBetween((byte) 0x20, (byte) 0x7e);
        }
        assertThat(bytes[bytes.length - 1]).isEqualTo((byte) '\n');
        assertThat(Json.MAPPER.readTree(bytes).get("subject").asString()).isEqualTo(NASTY);
    }

    @Test
    void attack_19_a_log_line_is_one_line_of_json_without_secrets() {
        var context = new LoggerContext();
        var event = new LoggingEvent(
                "x",
                context.getLogger("some.logger"),
                Level.WARN,
                NASTY + " s3cret-value",
                new IOException(NASTY),
                null);
        event.setMDCPropertyMap(Map.of("request_id", NASTY));

        var text = new String(new JsonEncoder(Redaction.of(Map.of("vault", "s3cret-value"))).encode(event), UTF_8);

        assertThat(text).endsWith("\n").matches("[\\x20-\\x7e]+\n").doesNotContain("s3cret-value");
        var line = Json.MAPPER.readTree(text);
        assertThat(line.get("message").asString()).isEqualTo(NASTY + " [REDACTED:vault]");
        assertThat(line.get("request_id").asString()).isEqualTo(NASTY);
        assertThat(line.get("level").asString()).isEqualTo("WARN");
        assertThat(line.get("trace").asString()).contains("IOException");
    }

    @Test
    void an_interrupt_costs_no_line() throws IOException {
        try (var log = open(AuditLog.Options.STANDARD, Redaction.SHAPES)) {
            Thread.currentThread().interrupt();
            log.add(AuditEntry.ofServer("settings.reload", "ok"));
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(Files.readString(file())).contains("settings.reload");
        assertThat(lost).hasValue(0);
    }

    @Test
    void secrets_are_taken_out() throws IOException {
        try (var log = open(AuditLog.Options.STANDARD, Redaction.of(Map.of("vault", "s3cret-value")))) {
            log.add(new AuditEntry("s3cret-value", null, null, "skein_" + "ab12_".repeat(10), "ok", null, null));
        }

        assertThat(Files.readString(file()))
                .contains("[REDACTED:vault]")
                .contains("[REDACTED:skein]")
                .doesNotContain("s3cret-value");
    }

    @Test
    void a_full_file_is_put_aside_and_only_so_many_are_kept() throws IOException {
        try (var log = open(new AuditLog.Options(1_000, 2), Redaction.SHAPES)) {
            for (int i = 0; i < 100; i++) {
                log.add(AuditEntry.ofServer("action-" + i, "ok"));
            }
        }

        try (var files = Files.list(home)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("audit.log", "audit.log.1", "audit.log.2");
        }
        assertThat(Files.size(home.resolve("audit.log.1"))).isBetween(900L, 1_000L);
        assertThat(Files.readString(file())).contains("action-99");
        assertThat(lost).hasValue(0);
    }

    @Test
    void lines_of_many_threads_stay_whole_and_a_new_start_appends() throws Exception {
        for (int start = 0; start < 2; start++) {
            try (var log = open(AuditLog.Options.STANDARD, Redaction.SHAPES)) {
                try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    for (int i = 0; i < 500; i++) {
                        threads.execute(() -> log.add(AuditEntry.ofServer("x".repeat(500), "ok")));
                    }
                }
            }
        }

        var lines = new ArrayList<>(Files.readAllLines(file()));
        assertThat(lines.size() + lost.get()).isEqualTo(1_000);
        assertThat(lines)
                .allMatch(line ->
                        Json.MAPPER.readTree(line).get("outcome").asString().equals("ok"));
    }

    private Path file() {
        return home.resolve("audit.log");
    }

    private AuditLog open(AuditLog.Options options, Redaction redaction) {
        return AuditLog.open(file(), options, redaction, CLOCK, lost::incrementAndGet);
    }
}
