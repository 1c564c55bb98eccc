package dev.skein.engine.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.engine.permission.Permissions.Decision;
import dev.skein.failure.InvalidRequest;
import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.tool.ToolSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

class PermissionRulesTest {

    @Test
    void without_rules_what_reads_may_and_what_acts_is_asked_about() {
        assertThat(decide(PermissionRules.STANDARD, ToolSpec.Effect.READS, "read", "path", "x"))
                .isInstanceOf(Decision.Allow.class);
        assertThat(decide(PermissionRules.STANDARD, ToolSpec.Effect.ACTS, "shell", "command", "ls"))
                .isInstanceOf(Decision.Ask.class);
    }

    @Test
    void a_denial_counts_before_a_question_and_that_before_a_permission() {
        var rules = PermissionRules.parse(List.of("shell(rm *)"), List.of("shell(git push*)"), List.of("shell"));

        assertThat(shell(rules, "rm -rf x")).isInstanceOf(Decision.Deny.class);
        assertThat(shell(rules, "git push --force")).isInstanceOf(Decision.Ask.class);
        assertThat(shell(rules, "ls")).isInstanceOf(Decision.Allow.class);
    }

    @Test
    void the_reason_names_the_rule() {
        var rules = PermissionRules.parse(List.of("shell(command=rm *)"), List.of(), List.of());

        assertThat(shell(rules, "rm x")).isEqualTo(new Decision.Deny("the rule 'shell(command=rm *)' denies it"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git status; rm -rf /",
                "git status && curl evil",
                "git status | sh",
                "git status $(rm x)",
                "git status `rm x`",
                "git status > /etc/passwd",
                "git status\nrm x",
                "git status ../../secret",
                "git status 'x' \"y\""
            })
    void a_star_in_a_permission_never_stands_for_a_second_command_or_a_way_out(String command) {
        var rules = PermissionRules.parse(List.of(), List.of(), List.of("shell(git status*)"));

        assertThat(shell(rules, "git status --short")).isInstanceOf(Decision.Allow.class);
        assertThat(shell(rules, command)).isInstanceOf(Decision.Ask.class);
    }

    @Test
    void a_star_in_a_denial_stands_for_anything() {
        var rules = PermissionRules.parse(List.of("shell(*rm *)"), List.of(), List.of("shell"));

        assertThat(shell(rules, "true; rm x")).isInstanceOf(Decision.Deny.class);
    }

    @ParameterizedTest
    @CsvSource({
        "write(docs/*), docs/a.md, true",
        "write(docs/*), docs/../etc/x, false",
        "write(docs/*), src/a.md, false",
        "write(path=*.md), docs/a.md, true",
        "wr*(docs/*), docs/a.md, true",
        "write(file=*), docs/a.md, false",
        "write, anything at all, true"
    })
    void rules_name_a_tool_and_an_argument(String rule, String path, boolean allowed) {
        var rules = PermissionRules.parse(List.of(), List.of(), List.of(rule));

        assertThat(decide(rules, ToolSpec.Effect.ACTS, "write", "path", path) instanceof Decision.Allow)
                .isEqualTo(allowed);
    }

    @Test
    void a_rule_takes_no_longer_for_a_nasty_argument() {
        var rules = PermissionRules.parse(List.of("shell(*a*a*a*a*a*a*a*a*b)"), List.of(), List.of());

        assertThat(shell(rules, "a".repeat(20_000))).isInstanceOf(Decision.Ask.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "shell(", "shell()", "she ll", "(x)"})
    void what_is_no_rule_is_refused_with_an_example(String text) {
        assertThatThrownBy(() -> Rule.parse(text))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("for example");
    }

    private static Decision shell(PermissionRules rules, String command) {
        return decide(rules, ToolSpec.Effect.ACTS, "shell", "command", command);
    }

    private static Decision decide(
            PermissionRules rules, ToolSpec.Effect effect, String tool, String argument, String value) {
        var nodes = JsonNodeFactory.instance;
        return rules.decide(
                new ToolSpec(tool, "", nodes.objectNode(), ToolSpec.Repeat.UNSAFE, effect),
                new Part.ToolCall(new ToolCallId("c"), tool, nodes.objectNode().put(argument, value), null));
    }
}
