package dev.skein.redaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.wire.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

class RedactionTest {

    private static final String ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final String HEX = "0123456789abcdef";

    /// Made up here, so that no key stands in this file. What must be gone, by the text that holds it.
    private static Map<String, String> canaries() {
        var made = new Canaries();
        made.token("anthropic", "sk-ant-api03-" + made.some(95));
        made.token("anthropic", "sk-ant-oat01-" + made.some(60));
        made.token("openrouter", "sk-or-v1-" + made.hex(64));
        made.token("openai", "sk-" + made.some(48));
        made.token("openai", "sk-proj-" + made.some(120));
        made.token("openai", "sk-svcacct-" + made.some(60));
        made.token("google", "AIza" + made.some(35));
        made.token("google-oauth", "ya29." + made.some(80));
        made.token("google-oauth", "GOCSPX-" + made.some(28));
        made.token("aws", "AKIA" + made.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16));
        made.token("aws", "ASIA" + made.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16));
        made.within("aws_secret_access_key = ", made.some(40), "");
        made.within("\"AWSSecretKey\": \"", made.some(40), "\"");
        made.token("github", "ghp_" + made.some(36));
        made.token("github", "gho_" + made.some(36));
        made.token("github", "ghs_" + made.some(36));
        made.token("github", "github_pat_" + made.some(82));
        made.token("gitlab", "glpat-" + made.some(20));
        made.token("slack", "xoxb-" + made.from("0123456789", 12) + "-" + made.some(24));
        made.token("slack", "xapp-1-" + made.some(40));
        made.within(
                "https://hooks.slack.com/services/",
                "T" + made.some(9) + "/B" + made.some(9) + "/" + made.some(24),
                "");
        made.token("stripe", "sk_live_" + made.some(24));
        made.token("stripe", "rk_test_" + made.some(24));
        made.token("stripe", "whsec_" + made.some(32));
        made.token("npm", "npm_" + made.some(36));
        made.token("pypi", "pypi-" + made.some(150));
        made.token("huggingface", "hf_" + made.some(34));
        made.token("groq", "gsk_" + made.some(52));
        made.token("xai", "xai-" + made.some(80));
        made.token("perplexity", "pplx-" + made.some(48));
        made.token("replicate", "r8_" + made.some(37));
        made.token("tavily", "tvly-dev-" + made.some(32));
        made.token("sendgrid", "SG." + made.some(22) + "." + made.some(43));
        made.token("twilio", "SK" + made.hex(32));
        made.token("telegram", made.from("123456789", 10) + ":AA" + made.some(33));
        made.token("digitalocean", "dop_v1_" + made.hex(64));
        made.token("shopify", "shpat_" + made.hex(32));
        made.token("databricks", "dapi" + made.hex(32));
        made.token("docker", "dckr_pat_" + made.some(27));
        made.token("vault", "hvs." + made.some(90));
        made.token("linear", "lin_api_" + made.some(40));
        made.token("notion", "ntn_" + made.some(46));
        made.token("figma", "figd_" + made.some(40));
        made.token("age", "AGE-SECRET-KEY-1" + made.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 58));
        made.within("AccountName=me;AccountKey=", made.some(86) + "==", ";EndpointSuffix=x");
        made.token("jwt", "eyJ" + made.some(30) + ".eyJ" + made.some(60) + "." + made.some(43));
        made.within("Authorization: Bearer ", made.some(40), "");
        made.within("authorization: BEARER ", made.some(40), "");
        made.within("Authorization: Basic ", made.some(24) + "==", "");
        made.within("x-api-key: ", made.some(32), "");
        made.within("https://example.org/?api_key=", made.some(32), "&x=1");
        made.within("postgres://app:", made.some(12), "@db.example.org/app");
        made.within("redis://:", made.some(12), "@cache:6379");
        made.within("export DB_PASSWORD=", made.some(12), "");
        made.within("MY_SERVICE_TOKEN=\"", made.some(20), "\"");
        made.within("", made.pem("RSA PRIVATE KEY"), "");
        made.within("", made.pem("OPENSSH PRIVATE KEY"), "");
        made.within("{\"key\":\"", made.pem("PRIVATE KEY").replace("\n", "\\n"), "\"}");
        return made.texts;
    }

    @Test
    void every_canary_is_gone_wherever_it_stands() {
        assertThat(canaries()).hasSizeGreaterThanOrEqualTo(50);
        canaries().forEach((text, secret) -> {
            for (var around : List.of("%s", "see %s.", "key=\"%s\",", "{\"a\":\"%s\"}", "a\n%s\nb", "(%s)", "`%s`")) {
                var given = around.formatted(text);

                var clean = Redaction.SHAPES.redact(given);

                assertThat(clean).as(given).doesNotContain(secret).contains("[REDACTED:");
                for (int i = 0; i + 16 <= secret.length(); i += 8) {
                    var piece = secret.substring(i, i + 16);
                    if (!piece.contains("KEY") && !piece.contains("---")) {
                        assertThat(clean).as("a piece of " + given).doesNotContain(piece);
                    }
                }
            }
        });
    }

    @Test
    void the_kind_is_named_and_the_rest_stays() {
        var key = "ghp_" + new Canaries().some(36);

        assertThat(Redaction.SHAPES.redact("use " + key + " to push")).isEqualTo("use [REDACTED:github] to push");
        assertThat(Redaction.SHAPES.redact("postgres://app:hunter2@db/app"))
                .isEqualTo("postgres://app:[REDACTED:url-password]@db/app");
    }

    @Test
    void what_was_redacted_stays_the_same_when_redacted_again() {
        canaries().keySet().forEach(text -> {
            var once = Redaction.SHAPES.redact(text);

            assertThat(Redaction.SHAPES.redact(once)).isEqualTo(once);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
                "d41d8cd98f00b204e9800998ecf8427e",
                "da39a3ee5e6b4b0d3255bfef95601890afd80709",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
                "commit 6121e38a0b1c2d3e4f5061728394a5b6c7d8e9f0",
                "https://example.org:8080/a/b@c?x=1:2",
                "mailto:someone@example.org",
                "git@github.com:owner/repo.git",
                "the risk-averse task-runner asks for a disk-based-sk-like-thing",
                "String password = request.password();",
                "password: a text that nobody guesses",
                "token count: 12345678901234567890",
                "TOKEN_LIMIT=4096",
                "MAX_TOKENS=100000000",
                "var apiKey = configuration.property.reader.value;",
                "a bearer authentication-mechanisms-overview",
                "export API_KEY=$OTHER_KEY",
                "API_KEY=<your key here>",
                "bearer of good news and more",
                "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ",
                "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
                "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
                "if (x == 1 && y == 2) { z = a[3]; }"
            })
    void what_is_no_secret_stays(String text) {
        assertThat(Redaction.SHAPES.redact(text)).isEqualTo(text);
    }

    @Test
    void pictures_and_random_ids_stay() {
        var random = new Random(11);
        for (int round = 0; round < 50; round++) {
            var bytes = new byte[40_000];
            random.nextBytes(bytes);
            var picture = "data:image/png;base64," + Base64.getEncoder().encodeToString(bytes);

            assertThat(Redaction.SHAPES.redact(picture)).isEqualTo(picture);
            var id = java.util.UUID.nameUUIDFromBytes(bytes).toString();
            assertThat(Redaction.SHAPES.redact("id=" + id)).isEqualTo("id=" + id);
        }
    }

    @Test
    void a_private_key_that_was_cut_off_is_gone_too() {
        var pem = new Canaries().pem("RSA PRIVATE KEY");

        assertThat(Redaction.SHAPES.redact("key: " + pem.substring(0, pem.length() / 2)))
                .isEqualTo("key: [REDACTED:private-key]");
    }

    @Test
    void values_it_was_given_are_found_in_every_spelling() {
        var value = "p\u00e4ss \"word\"/1";
        var redaction = Redaction.of(Map.of("vault:db", value, "short", "abc"));
        var bytes = value.getBytes(StandardCharsets.UTF_8);
        var spellings = List.of(
                value,
                Json.MAPPER.writeValueAsString(value),
                "?p=" + java.net.URLEncoder.encode(value, StandardCharsets.UTF_8),
                Base64.getEncoder().encodeToString(bytes));

        for (var spelling : spellings) {
            assertThat(redaction.redact("x " + spelling + " y"))
                    .contains("[REDACTED:vault:db]")
                    .doesNotContain(spelling);
        }
        assertThat(redaction.redact("abc")).isEqualTo("abc");
    }

    @Test
    void a_value_that_holds_another_is_replaced_whole() {
        var redaction = Redaction.of(Map.of("inner", "secret-1", "outer", "secret-1-and-more"));

        assertThat(redaction.redact("secret-1-and-more, secret-1")).isEqualTo("[REDACTED:outer], [REDACTED:inner]");
    }

    @Test
    void a_result_is_cleaned_in_its_texts_and_its_data_but_not_its_pictures() {
        var redaction = Redaction.of(Map.of("mine", "hunter22"));
        var picture = new Part.Image("image/png", "hunter22", null, null);
        var data = Json.MAPPER.readTree("{\"a\":[{\"hunter22\":\"x hunter22\"},1,true,null]}");
        var result = new Part.ToolResult(
                new ToolCallId("c"), "shell", List.of(new Part.Text("a hunter22"), picture), true, data);

        assertThat(redaction.redact(result))
                .isEqualTo(new Part.ToolResult(
                        new ToolCallId("c"),
                        "shell",
                        List.of(new Part.Text("a [REDACTED:mine]"), picture),
                        true,
                        Json.MAPPER.readTree("{\"a\":[{\"[REDACTED:mine]\":\"x [REDACTED:mine]\"},1,true,null]}")));
    }

    @Test
    void no_text_makes_it_slow() {
        var hostile = new ArrayList<String>();
        for (var piece : List.of(
                "sk-",
                "sk-ant-",
                "eyJ",
                "eyJaaaaaaaa.",
                "eyJaaaaaaaa.eyJ",
                "-----BEGIN RSA PRIVATE KEY-----",
                "-----BEGIN ",
                "://a:",
                "a://",
                "bearer ",
                "Bearer a",
                "A_TOKEN=",
                "A",
                "AKIA",
                "a",
                " ",
                "=",
                ":",
                "-",
                "github_pat_",
                "api_key=",
                "api-key:",
                "aws_secret_access_key",
                "hooks.slack.com/services/",
                "SG.a.",
                "1",
                "1:AA",
                "AccountKey=",
                "authorization: basic ",
                "xoxb-",
                "\\n",
                "\n")) {
            hostile.add(piece.repeat(1_000_000 / piece.length()));
            hostile.add("eyJ sk- =://earer AKIA ey " + piece.repeat(1_000_000 / piece.length()));
        }

        for (var text : hostile) {
            var start = System.nanoTime();
            Redaction.SHAPES.redact(text);

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("a million characters of '" + text.substring(0, 40) + "'")
                    .isLessThan(Duration.ofSeconds(60));
        }
    }

    private static final class Canaries {

        private final Random random = new Random(5);
        private final Map<String, String> texts = new LinkedHashMap<>();

        void token(String kind, String secret) {
            texts.put(secret, secret);
            assertThat(Redaction.SHAPES.redact(secret)).as(secret).isEqualTo("[REDACTED:" + kind + "]");
        }

        void within(String before, String secret, String after) {
            texts.put(before + secret + after, secret);
        }

        String some(int length) {
            return from(ALPHANUMERIC, length);
        }

        String hex(int length) {
            return from(HEX, length);
        }

        String from(String alphabet, int length) {
            var text = new StringBuilder();
            for (int i = 0; i < length; i++) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            return text.toString();
        }

        String pem(String title) {
            var text = new StringBuilder("-----BEGIN " + title + "-----\n");
            for (int i = 0; i < 20; i++) {
                text.append(some(64)).append('\n');
            }
            return text + "-----END " + title + "-----";
        }
    }

    @Test
    void a_known_value_is_found_wherever_the_pieces_of_a_stream_were_broken() {
        var redaction = Redaction.of(Map.of("A", "abcabcd", "B", "abcabcdefgh", "C", "dxyzabc"));
        for (var text :
                List.of("see abcabcd!", "abcabcdefgh", "abcabcabcabcdefgi", "abcabcdxyzabcabcd", "ab abc dxyzab")) {
            for (int first = 0; first <= text.length(); first++) {
                for (int second = first; second <= text.length(); second++) {
                    var stream = redaction.stream();

                    var heard = stream.add(text.substring(0, first))
                            + stream.add(text.substring(first, second))
                            + stream.add(text.substring(second))
                            + stream.rest();

                    assertThat(heard)
                            .as("%s broken at %d and %d", text, first, second)
                            .isEqualTo(redaction.redactKnown(text));
                }
            }
        }
    }

    @Test
    void a_stream_holds_back_only_what_may_become_a_known_value() {
        var stream = Redaction.of(Map.of("KEY", "hunter22")).stream();

        assertThat(stream.add("it is hun")).isEqualTo("it is ");
        assertThat(stream.add("ting season, h")).isEqualTo("hunting season, ");
        assertThat(stream.rest()).isEqualTo("h");
        assertThat(Redaction.SHAPES.stream().add("hunter")).isEqualTo("hunter");
    }

    @Test
    void what_a_model_says_thinks_and_asks_for_is_freed_of_known_values() {
        var redaction = Redaction.of(Map.of("KEY", "hunter22"));
        var arguments = JsonNodeFactory.instance.objectNode().put("command", "echo hunter22");
        var id = new ToolCallId("c");

        assertThat(redaction.redactKnown(List.of(
                        new Part.Text("hunter22"),
                        new Part.Thinking("so hunter22", "signed", null),
                        new Part.Thinking("so", "signed", null),
                        new Part.ToolCall(id, "shell", arguments, "signed"))))
                .containsExactly(
                        new Part.Text("[REDACTED:KEY]"),
                        new Part.Thinking("so [REDACTED:KEY]", null, null),
                        new Part.Thinking("so", "signed", null),
                        new Part.ToolCall(
                                id,
                                "shell",
                                JsonNodeFactory.instance.objectNode().put("command", "echo [REDACTED:KEY]"),
                                "signed"));
    }
}
