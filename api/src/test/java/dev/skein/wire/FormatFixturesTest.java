package dev.skein.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.SessionEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Events as every released format wrote them. The files are never edited: a new shape gets a new directory.
class FormatFixturesTest {

    private static final Path FORMATS = Path.of("src/test/resources/format");

    static List<String> lines() throws IOException {
        var lines = new ArrayList<String>();
        for (var version : FormatVersion.values()) {
            lines.addAll(lines(version));
        }
        return lines;
    }

    private static List<String> lines(FormatVersion version) throws IOException {
        var lines = new ArrayList<String>();
        try (var files = Files.newDirectoryStream(FORMATS.resolve("v" + version.number()), "*.jsonl")) {
            for (var file : files) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }

    @ParameterizedTest
    @MethodSource("lines")
    void every_event_ever_written_is_understood_and_written_the_same(String line) {
        var bytes = line.getBytes(UTF_8);

        var decoded = EventCodec.decode(bytes, 0, bytes.length);

        assertThat(decoded.event()).isNotInstanceOf(SessionEvent.Opaque.class);
        assertThat(decoded.raw()).isNull();
        assertThat(new String(EventCodec.encode(decoded.event(), null), UTF_8)).isEqualTo(line);
    }

    @Test
    void the_current_format_has_a_line_for_every_type_of_event() throws IOException {
        var written = lines(FormatVersion.current()).stream()
                .map(line -> Json.MAPPER.readTree(line).path("type").asString())
                .collect(Collectors.toSet());

        assertThat(Samples.types())
                .allSatisfy(type -> assertThat(written)
                        .contains(EventCodec.typeOf(new Samples(1, Samples.Fill.NOTHING_OPTIONAL).event(type))));
    }

    @ParameterizedTest
    @EnumSource
    void every_version_has_files_and_a_summary(FormatVersion version) throws IOException {
        assertThat(lines(version)).isNotEmpty();
        assertThat(version.summary()).isNotBlank();
        assertThat(version.number()).isLessThanOrEqualTo(FormatVersion.current().number());
    }
}
