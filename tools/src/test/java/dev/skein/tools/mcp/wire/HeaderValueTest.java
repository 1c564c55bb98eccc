package dev.skein.tools.mcp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderValueTest {

    @Test
    void a_plain_name_is_sent_as_it_is() {
        assertThat(HeaderValue.of("files__read")).isEqualTo("files__read");
    }

    /// A model or a server chooses names of tools; none of them can add a header of its own.
    @ParameterizedTest
    @ValueSource(strings = {"a\r\nEvil: 1", "a\nb", "a\rb", "a\0b", " a", "a ", "ä", "\u2028", "=?base64?YQ==?="})
    void attack_20_no_name_becomes_a_header_of_its_own(String name) {
        var value = HeaderValue.of(name);

        assertThat(value).matches("=\\?base64\\?[A-Za-z0-9+/=]*\\?=");
        var inside = value.substring("=?base64?".length(), value.length() - "?=".length());
        assertThat(new String(Base64.getDecoder().decode(inside), StandardCharsets.UTF_8))
                .isEqualTo(name);
    }
}
