package dev.skein.engine.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.InvalidRequest;
import dev.skein.wire.Json;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShapesTest {

    private static final String PRICE = """
            {"type":"object","properties":{"price":{"type":"number","minimum":0},"tags":{"type":"array",
            "items":{"$ref":"#/$defs/tag"}}},"required":["price"],"additionalProperties":false,
            "$defs":{"tag":{"type":"string","pattern":"^[a-z]+$"}}}""";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"price\":1.50}",
                " \n{\"price\":1e3,\"tags\":[]}\n",
                "```json\n{\"price\":1}\n```",
                "```\n{\"price\":1,\"tags\":[\"new\"]}```",
            })
    void an_answer_that_fits_has_no_problem(String answer) {
        assertThat(check(PRICE).problem(answer)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"price":"x"}                  | /price: string found, number expected
                    {"price":-1}                   | /price: must have a minimum value of 0
                    {}                             | : required property 'price' not found
                    {"price":1,"more":2}           | property 'more' is not defined in the schema
                    {"price":1,"tags":["a","B"]}   | /tags/1: does not match the regex pattern ^[a-z]+$
                    [1]                            | : array found, object expected
                    It costs 1.                    | it is not JSON: Unrecognized token 'It'
                    {"price":1                     | it is not JSON: Unexpected end-of-input
                    {"price":1} {"price":2}        | it is not JSON: Trailing token
                    {"price":1,"price":2}          | it is not JSON: Duplicate Object property "price"
                    {"price":1e99999999}           | it is not JSON: a number in it is too long
                    ''                             | it is not JSON: there is nothing in it
                    """)
    void an_answer_that_does_not_is_told_where_and_why(String answer, String problem) {
        assertThat(check(PRICE).problem(answer))
                .hasValueSatisfying(told -> assertThat(told).contains(problem));
    }

    @Test
    void a_long_list_of_problems_is_cut_short() {
        var answer = "{\"price\":1,\"tags\":[" + "1,".repeat(99) + "1]}";

        assertThat(check(PRICE).problem(answer))
                .hasValueSatisfying(told -> assertThat(told)
                        .contains("/tags/4")
                        .doesNotContain("/tags/5")
                        .endsWith("; and 95 more"));
    }

    @Test
    void an_answer_without_end_is_no_answer() {
        assertThat(check("{}").problem("[".repeat(100_000)))
                .hasValueSatisfying(told -> assertThat(told).startsWith("it is not JSON"));
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                Arguments.of("[]", "'/': a schema is an object"),
                Arguments.of("{\"type\":\"thing\"}", "/type"),
                Arguments.of("{\"properties\":{\"a\":{\"type\":\"text\"}}}", "/properties/a/type"),
                Arguments.of("{\"required\":\"a\"}", "/required"),
                Arguments.of("{\"properties\":{\"a\":{\"pattern\":\"(\"}}}", "/properties/a/pattern"),
                Arguments.of("{\"patternProperties\":{\"[\":{}}}", "/patternProperties/["),
                Arguments.of("{\"$ref\":\"#/$defs/none\"}", "'/$ref': there is no '#/$defs/none'"),
                Arguments.of("{\"$ref\":\"#none\"}", "'/$ref': there is no '#none'"),
                Arguments.of("{\"$ref\":\"#\"}", "refers to itself without end"),
                Arguments.of("{\"allOf\":[{\"$ref\":\"#\"}]}", "refers to itself without end"),
                Arguments.of("{\"items\":{\"$id\":\"http://a/b\"}}", "/items/$id"),
                Arguments.of("{\"$schema\":\"http://127.0.0.1:1/mine\"}", "/$schema"),
                Arguments.of("{\"minimum\":1e999999999}", "/minimum"),
                Arguments.of("{\"multipleOf\":1e-999999999}", "/multipleOf"),
                Arguments.of("{\"const\":\"" + "x".repeat(70_000) + "\"}", "longer than 65536 characters"),
                Arguments.of("{\"not\":".repeat(60) + "{}" + "}".repeat(60), "nests deeper than 48 levels"));
    }

    @ParameterizedTest
    @MethodSource
    void broken(String schema, String why) {
        assertThatThrownBy(() -> Shapes.of("price", Json.MAPPER.readTree(schema)))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "ä", "a/b"})
    void a_name_is_what_every_provider_takes(String name) {
        assertThatThrownBy(() -> Shapes.of(name, Json.MAPPER.readTree("{}")))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("name");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"$id\":\"https://example.org/me.json\",\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":true}}",
                "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"definitions\":{\"a\":{}},"
                        + "\"items\":[{\"$ref\":\"#/definitions/a\"}]}",
                "{\"$defs\":{\"n\":{\"$anchor\":\"n\",\"properties\":{\"next\":{\"$ref\":\"#n\"}}}},\"$ref\":\"#n\"}",
                "{\"properties\":{\"pattern\":{},\"$ref\":{\"type\":\"string\"}}}",
                "{\"$defs\":{\"a/b\":{}},\"$ref\":\"#/$defs/a~1b\"}",
            })
    void what_the_drafts_allow_is_taken(String schema) {
        assertThat(Shapes.of("any", Json.MAPPER.readTree(schema)).schema()).isEqualTo(Json.MAPPER.readTree(schema));
    }

    @ParameterizedTest
    @ValueSource(strings = {"$ref", "$dynamicRef"})
    void nothing_is_fetched(String keyword) throws Exception {
        try (var server = new java.net.ServerSocket(0, 10, java.net.InetAddress.getLoopbackAddress())) {
            var there = "http://127.0.0.1:" + server.getLocalPort() + "/schema.json";

            assertThatThrownBy(() -> Shapes.of(
                            "far",
                            Json.MAPPER.readTree("{\"properties\":{\"a\":{\"%s\":\"%s\"}}}".formatted(keyword, there))))
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageContaining("/properties/a/" + keyword)
                    .hasMessageContaining("nothing is fetched");
            assertThatThrownBy(() -> Shapes.of(
                            "far", Json.MAPPER.readTree("{\"$ref\":\"#/x\",\"x\":{\"$ref\":\"%s\"}}".formatted(there))))
                    .as("where no keyword leads")
                    .isInstanceOf(InvalidRequest.class);

            server.setSoTimeout(1);
            assertThatThrownBy(server::accept).isInstanceOf(java.net.SocketTimeoutException.class);
        }
    }

    @Test
    void a_pattern_that_would_take_for_ever_does_not() {
        var check = check("{\"type\":\"string\",\"pattern\":\"^(a+)+(b?)\\\\2$\"}");

        assertThat(check.problem("\"" + "a".repeat(60) + "!\""))
                .hasValueSatisfying(told -> assertThat(told).contains("takes too long"));
        assertThat(check.problem("\"aaa\"")).as("the next answer").isEmpty();
    }

    @Test
    void a_pattern_that_would_fill_the_stack_does_not() {
        assertThat(check("{\"type\":\"string\",\"pattern\":\"^(a|b)*$\"}").problem("\"" + "ab".repeat(200_000) + "!\""))
                .hasValueSatisfying(told -> assertThat(told).contains("too deep"));
    }

    /// Each level looks twice at the next.
    @Test
    void a_schema_that_unfolds_without_end_is_refused() {
        var schema = Json.MAPPER.createObjectNode().put("$ref", "#/$defs/l0");
        var definitions = schema.putObject("$defs");
        IntStream.range(0, 40).forEach(i -> {
            var both = definitions.putObject("l" + i).putArray("allOf");
            both.addObject().put("$ref", "#/$defs/l" + (i + 1));
            both.addObject().put("$ref", "#/$defs/l" + (i + 1));
        });
        definitions.putObject("l40").put("type", "object");

        assertThatThrownBy(() -> Shapes.of("laughs", schema))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("steps");
    }

    @Test
    void an_answer_that_makes_a_schema_unfold_without_end_is_refused() {
        var check = check("""
                {"properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]}}}""");

        assertThat(check.problem("{\"a\":".repeat(50) + "{}" + "}".repeat(50)))
                .hasValueSatisfying(told -> assertThat(told).contains("steps"));
    }

    private static ShapeCheck check(String schema) {
        return ShapeCheck.of(Shapes.of("price", Json.MAPPER.readTree(schema)));
    }
}
