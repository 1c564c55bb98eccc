package dev.skein.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A settings file that is wrong in many ways: all of them are told with their line, and what is right counts.
class SettingsTest {

    @TempDir
    Path directory;

    @Test
    void without_a_file_everything_has_its_default() {
        var settings = Settings.read(directory.resolve("config.yaml"));

        assertThat(settings.problems()).isEmpty();
        assertThat(settings.saving()).isEqualTo(SavePolicy.KEEP);
    }

    @Test
    void every_wrong_value_and_name_is_told_with_its_line() throws IOException {
        var settings = read("""
                model: offline:skein
                # a comment
                temperature: warm
                save_session: maybe

                permissions:
                  allow:
                    - "shell(git status*)"
                    - "(nothing"
                limits:
                  turns: 3
                  tokens: -1
                  cots: 2
                providers:
                  mine: 5
                """);

        assertThat(settings.problems())
                .satisfiesExactlyInAnyOrder(
                        problem -> assertThat(problem).contains("config.yaml, line 3: temperature: is a number"),
                        problem -> assertThat(problem).contains("line 4: save_session: 'maybe' is neither true"),
                        problem -> assertThat(problem).contains("line 9: permissions.allow.1: "),
                        problem -> assertThat(problem).contains("line 12: limits.tokens: is a whole number"),
                        problem -> assertThat(problem).contains("line 13: limits.cots: is no setting; did you mean"),
                        problem -> assertThat(problem).contains("line 15: providers.mine: "));
        assertThat(settings.model()).hasToString("offline:skein");
        assertThat(settings.limits().turnsMax()).isEqualTo(3);
    }

    @Test
    void what_is_no_yaml_costs_only_the_setting_it_stands_in() throws IOException {
        var settings = read("""
                model: offline:skein
                tools: [read, list
                instructions: "Be brief.
                limits:
                  turns: 7
                 tokens: 3
                save_session: ask
                messages_max: 12
                """);

        assertThat(settings.problems())
                .satisfiesExactly(
                        problem -> assertThat(problem)
                                .contains("config.yaml, line 2: while parsing a flow sequence; expected"),
                        problem -> assertThat(problem).contains("config.yaml, line 3: "),
                        problem -> assertThat(problem).contains("config.yaml, line 6: "));
        assertThat(settings.model()).hasToString("offline:skein");
        assertThat(settings.saving()).isEqualTo(SavePolicy.ASK);
        assertThat(settings.window()).isEqualTo(12);
    }

    @Test
    void a_file_that_is_a_list_or_a_word_is_no_settings_file() throws IOException {
        for (var text : List.of("- a\n- b\n", "hello\n")) {
            assertThat(read(text).problems())
                    .singleElement()
                    .asString()
                    .contains("config.yaml, line 1: settings are written as 'name: value'");
        }
    }

    private Settings read(String text) throws IOException {
        return Settings.read(Files.writeString(directory.resolve("config.yaml"), text));
    }
}
