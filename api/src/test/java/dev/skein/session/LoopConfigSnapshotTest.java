package dev.skein.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.wire.Json;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LoopConfigSnapshotTest {

    static Stream<Arguments> urls() {
        return Stream.of(
                Arguments.of("https://api.example/v1", "https://api.example/v1"),
                Arguments.of("https://user:SECRET@api.example:8443/v1", "https://api.example:8443/v1"),
                Arguments.of("https://api.example/v1?key=SECRET", "https://api.example/v1"),
                Arguments.of("https://api.example/v1#SECRET", "https://api.example/v1"),
                Arguments.of("http://[::1]:11434/api?token=SECRET", "http://[::1]:11434/api"),
                Arguments.of("SECRET", null),
                Arguments.of("mailto:SECRET", null),
                Arguments.of("https://bad host/SECRET", null));
    }

    @ParameterizedTest
    @MethodSource("urls")
    void a_base_url_loses_whatever_may_be_secret(String url, String kept) {
        var snapshot = withBaseUrl(url);

        assertThat(snapshot.baseUrl()).isEqualTo(kept);
        assertThat(Json.MAPPER.writeValueAsString(snapshot)).doesNotContain("SECRET");
        assertThat(withBaseUrl(snapshot.baseUrl())).isEqualTo(snapshot);
    }

    @Test
    void there_is_no_place_for_a_key() {
        assertThat(Arrays.stream(LoopConfigSnapshot.class.getRecordComponents())
                        .map(component -> component.getName().toLowerCase(java.util.Locale.ROOT)))
                .noneMatch(name -> name.contains("key") || name.contains("secret") || name.contains("header"));
    }

    @Test
    void what_is_not_set_is_not_written() {
        assertThat(Json.MAPPER.writeValueAsString(LoopConfigSnapshot.of("openai", "gpt-4o")))
                .isEqualTo("{\"model\":\"gpt-4o\",\"provider\":\"openai\"}");
    }

    private static LoopConfigSnapshot withBaseUrl(String url) {
        return new LoopConfigSnapshot("m", "p", null, null, null, url, null, null, null, null, null, null);
    }
}
