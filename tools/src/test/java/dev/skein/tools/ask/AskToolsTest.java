package dev.skein.tools.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.Question;
import dev.skein.tool.ToolOutcome;
import dev.skein.tools.call.Calls;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AskToolsTest {

    private static final List<String> COLOURS = List.of("Red", "Light blue", "3");

    private static ToolOutcome answer(String tool, String answer, Object... arguments) {
        return ((Question) Calls.named(AskTools.all(), tool)).answered(Calls.call(tool, arguments), answer);
    }

    private static String data(ToolOutcome outcome) {
        return outcome instanceof ToolOutcome.Answered answered
                ? String.valueOf(answered.data())
                : Calls.words(outcome);
    }

    @ParameterizedTest
    @CsvSource({"1,Red", "red,Red", " LIGHT BLUE ,Light blue", "2,Light blue", "3,3"})
    void one_option_is_picked_by_number_or_words(String answer, String expected) {
        var outcome = answer("ask_select", answer, "question", "Which?", "options", COLOURS);

        assertThat(data(outcome)).isEqualTo("{\"answer\":\"" + expected + "\"}");
        assertThat(Calls.words(outcome)).isEqualTo(expected);
    }

    @Test
    void what_is_no_option_is_a_failure_that_names_them() {
        assertThat(Calls.words(answer("ask_select", "green", "question", "Which?", "options", COLOURS)))
                .isEqualTo("failed: 'green' is none of the options; answer with a number from 1 to 3 or with the words"
                        + " of one of [Red, Light blue, 3]");
        assertThat(Calls.words(answer("ask_select", "4", "question", "Which?", "options", COLOURS)))
                .startsWith("failed");
        assertThat(Calls.words(answer("ask_select", "1", "question", "Which?"))).contains("there are 0 options");
    }

    @Test
    void yes_and_no_are_understood_and_nothing_else() {
        assertThat(data(answer("ask_confirm", " Yes", "question", "Sure?"))).isEqualTo("{\"answer\":true}");
        assertThat(data(answer("ask_confirm", "n", "question", "Sure?"))).isEqualTo("{\"answer\":false}");
        assertThat(data(answer("ask_confirm", "perhaps", "question", "Sure?")))
                .isEqualTo("failed: 'perhaps' is neither yes nor no; answer yes or no");
    }

    @Test
    void text_is_taken_as_it_is_and_nothing_means_the_default() {
        assertThat(data(answer("ask_input", "a \"b\"", "question", "Name?"))).isEqualTo("{\"answer\":\"a \\\"b\\\"\"}");
        assertThat(data(answer("ask_input", "", "question", "Name?", "default", "Ada")))
                .isEqualTo("{\"answer\":\"Ada\"}");
        assertThat(data(answer("ask_input", "", "question", "Name?"))).isEqualTo("{\"answer\":\"\"}");
        assertThat(data(answer("ask_input", "x".repeat(100_001), "question", "Name?")))
                .contains("shorten it");
    }

    @Test
    void several_options_are_picked_in_their_own_order() {
        Object[] asked = {"question", "Which?", "options", COLOURS};

        assertThat(data(answer("ask_checkbox", "2, red", asked))).isEqualTo("{\"answer\":[\"Red\",\"Light blue\"]}");
        assertThat(data(answer("ask_checkbox", "", asked))).isEqualTo("{\"answer\":[]}");
        assertThat(data(answer("ask_checkbox", "none", asked))).isEqualTo("{\"answer\":[]}");
        assertThat(data(answer("ask_checkbox", "1,green", asked))).contains("'green' is none of the options");
    }

    @Test
    void an_option_with_a_comma_can_be_picked_by_its_words() {
        assertThat(data(answer("ask_checkbox", "a, b", "question", "Which?", "options", List.of("a, b", "c"))))
                .isEqualTo("{\"answer\":[\"a, b\"]}");
    }

    @Test
    void a_question_is_never_run() throws InterruptedException {
        for (var tool : AskTools.all()) {
            assertThat(Calls.run(tool, new Cancellation())).isInstanceOf(ToolOutcome.Failed.class);
        }
    }
}
