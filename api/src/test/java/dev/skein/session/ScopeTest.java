package dev.skein.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.skein.failure.InvalidRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScopeTest {

    @Test
    void the_command_line_has_a_scope_without_agent() {
        assertThat(Scope.LOCAL).isEqualTo(Scope.ofOwner("local"));
        assertThat(Scope.LOCAL.agentName()).isEmpty();
    }

    @Test
    void an_agent_makes_another_scope_of_the_same_owner() {
        var coder = Scope.ofOwner("ann").withAgent("coder");

        assertThat(coder).isEqualTo(new Scope("ann", "coder")).isNotEqualTo(Scope.ofOwner("ann"));
        assertThat(coder.agentName()).contains("coder");
        assertThat(coder.withAgent(null)).isEqualTo(Scope.ofOwner("ann"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\u0000b", "a\nb"})
    void blank_names_and_control_characters_are_refused(String name) {
        assertThatExceptionOfType(InvalidRequest.class)
                .isThrownBy(() -> Scope.ofOwner(name))
                .withMessageContaining("owner");
        assertThatExceptionOfType(InvalidRequest.class)
                .isThrownBy(() -> Scope.LOCAL.withAgent(name))
                .withMessageContaining("agent");
    }

    @Test
    void a_name_has_at_most_200_characters() {
        assertThat(Scope.ofOwner("x".repeat(200)).owner()).hasSize(200);
        assertThatExceptionOfType(InvalidRequest.class).isThrownBy(() -> Scope.ofOwner("x".repeat(201)));
    }

    @Test
    void names_with_slashes_are_names_like_others() {
        assertThat(Scope.ofOwner("https://idp.example/user/1").owner()).isEqualTo("https://idp.example/user/1");
    }
}
