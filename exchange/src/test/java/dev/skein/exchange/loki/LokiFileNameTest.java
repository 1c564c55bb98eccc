package dev.skein.exchange.loki;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.SessionAlias;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LokiFileNameTest {

    @Test
    void a_named_session_has_the_name_of_its_file() {
        assertThat(LokiFileName.of(Path.of("my-project.yaml")))
                .contains(new LokiFileName("my-project", new SessionAlias("my-project"), false, null));
    }

    @Test
    void an_unnamed_session_is_called_by_time_and_title() {
        var stem = "20260508T120838-fix-login-bug";

        assertThat(LokiFileName.of(Path.of("_", stem + ".yaml")))
                .contains(new LokiFileName("_/" + stem, new SessionAlias(stem), true, "fix-login-bug"));
    }

    @Test
    void an_unnamed_session_need_not_have_a_title() {
        assertThat(LokiFileName.of(Path.of("_", "20260508T120838.yaml")))
                .contains(new LokiFileName("_/20260508T120838", new SessionAlias("20260508T120838"), true, null));
    }

    @Test
    void a_file_that_somebody_put_among_the_unnamed_keeps_its_name() {
        assertThat(LokiFileName.of(Path.of("_", "mine.yaml")))
                .contains(new LokiFileName("_/mine", new SessionAlias("mine"), false, null));
    }

    @Test
    void a_name_with_slashes_gets_dashes() {
        assertThat(LokiFileName.of(Path.of("Work", "Login.yaml")))
                .contains(new LokiFileName("Work/Login", new SessionAlias("Work-Login"), false, null));
    }

    @Test
    void a_name_that_cannot_be_an_alias_gets_the_nearest_or_none() {
        assertThat(LokiFileName.of(Path.of(" odd?\n.yaml")).orElseThrow().alias())
                .isEqualTo(new SessionAlias("odd"));
        assertThat(LokiFileName.of(Path.of("temp.yaml")).orElseThrow().alias()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"notes.md", ".yaml", "a/.yaml", "../a.yaml", "/etc/a.yaml", "a.yml", ""})
    void other_files_are_none_of_ours(String path) {
        assertThat(LokiFileName.of(Path.of(path))).isEmpty();
    }
}
