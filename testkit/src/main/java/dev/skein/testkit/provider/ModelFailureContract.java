package dev.skein.testkit.provider;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.ModelFailed;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.testkit.provider.Wire.Feature;
import dev.skein.wire.Json;
import java.net.URI;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The promises of [dev.skein.model.Model] about calls that fail, in any way: the failure is typed, names the model,
/// the
/// fact and the next step, and says whether trying again may help. Part of [ModelContract].
@Timeout(180)
public abstract class ModelFailureContract extends ModelEndingContract {

    // Promise 4: failures are typed.

    @Test
    void a_busy_provider_may_be_tried_again_when_it_says() {
        var failed = failure(new Answer.Status(429, "{\"error\": \"slow down\"}", Map.of("Retry-After", "7")));

        assertThat(failed.isTransient()).isTrue();
        assertThat(failed.retryAfter()).contains(Duration.ofSeconds(7));
        requireSays(failed, "status 429: slow down", "try again in 7 s");
    }

    @Test
    void a_busy_provider_may_name_a_date() {
        var date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(UTC).plusMinutes(10));

        var failed = failure(new Answer.Status(429, "later", Map.of("Retry-After", date)));

        assertThat(failed.retryAfter())
                .hasValueSatisfying(wait -> assertThat(wait).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(11)));
    }

    @Test
    void a_provider_in_trouble_may_be_tried_again() {
        for (var status : List.of(408, 500, 502, 503, 504, 529)) {
            assertThat(failure(Answer.status(status, "oops")).isTransient())
                    .as("status " + status)
                    .isTrue();
        }
    }

    @Test
    void a_request_that_is_refused_is_not_tried_again() {
        for (var status : List.of(400, 401, 403, 404, 413, 422)) {
            assertThat(failure(Answer.status(status, "no")).isTransient())
                    .as("status " + status)
                    .isFalse();
        }
    }

    @Test
    void a_refusal_says_what_to_look_at() {
        requireSays(failure(Answer.status(401, "who are you")), "status 401: who are you", "check the provider's key");
        requireSays(
                failure(Answer.status(404, "{\"error\": {\"message\": \"no such model\"}}")),
                "status 404: no such model",
                "check the model's name and the address");
        requireSays(failure(Answer.status(400, "too long")), "status 400: too long", "change the request");
    }

    @Test
    void a_request_that_makes_no_sense_is_refused_before_it_is_sent() {
        var lost = new Part.Image(null, null, "no address at all", null);

        assertThat(requireFailure(request()).isTransient()).isFalse();
        assertThat(requireFailure(request(message(Role.USER, lost))).isTransient())
                .isFalse();
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void a_redirect_is_not_followed() {
        var failed = failure(new Answer.Status(307, "", Map.of("Location", "http://127.0.0.1:1/")));

        assertThat(failed.isTransient()).isFalse();
    }

    @Test
    void a_connection_that_breaks_before_the_reply_is_a_failure_that_may_pass() {
        var failed = failure(new Answer.Broken());

        assertThat(failed.isTransient()).isTrue();
        requireSays(failed, "the connection broke before the reply began", "try again");
    }

    @Test
    void a_connection_that_breaks_in_the_middle_is_a_failure_that_may_pass_and_the_words_were_heard() {
        var heard = new Gate();
        server.script(Answer.reply(new Step.Say("half a"), new Step.WaitAt(heard), new Step.Cut()));

        var failed = catchThrowableOfType(
                ModelFailed.class,
                () -> model(server.baseUrl())
                        .reply(
                                request(user("hi")),
                                fragment -> {
                                    fragments.add(fragment);
                                    heard.open();
                                },
                                new Cancellation()));

        assertThat(failed.isTransient()).isTrue();
        requireSays(failed, "the connection broke in the middle of the reply", "try again");
        assertThat(spokenText()).isEqualTo("half a");
    }

    @Test
    void a_stream_that_ends_too_early_is_not_taken_for_a_reply() {
        var failed = failure(Answer.reply(new Step.Say("half a"), new Step.EndEarly()));

        assertThat(failed.isTransient()).isTrue();
        requireSays(failed, "the stream ended in the middle of the reply", "try again");
        assertThat(spokenText()).isEqualTo("half a");
    }

    @Test
    void a_provider_that_falls_silent_is_given_up() {
        var gate = new Gate();
        server.script(Answer.reply(new Step.Say("well"), new Step.WaitAt(gate)));
        var impatient = model(server.baseUrl(), Duration.ofMillis(300));

        var failed = catchThrowableOfType(
                ModelFailed.class, () -> impatient.reply(request(user("hi")), fragments::add, new Cancellation()));

        assertThat(failed.isTransient()).isTrue();
        requireSays(failed, "not a byte came for 300 ms", "try again, or raise idle_timeout");
        assertThat(spokenText()).isEqualTo("well");
        gate.open();
    }

    @Test
    void a_web_page_is_not_taken_for_a_reply() {
        var failed =
                failure(new Answer.Status(200, "<html>Welcome</html>", Map.of("Content-Type", "text/html; charset=x")));

        assertThat(failed.isTransient()).isFalse();
        requireSays(failed, "it answered with text/html; charset=x, not with a stream", "check the address");
    }

    @Test
    void an_event_that_cannot_be_read_is_a_failure_and_nothing_after_it_is_heard() {
        for (var garbage : List.of("{\"choices\": [{\"del", "<html>", "{]", "\"a text\"")) {
            fragments.clear();
            var event = wire.event(garbage);
            var failed = failure(Answer.reply(new Step.Say("one"), new Step.Raw(event), new Step.Say("two")));

            assertThat(failed.isTransient()).as(garbage).isTrue();
            requireSays(failed, "a piece of its reply is no JSON object: " + garbage, "try again");
            assertThat(spokenText()).as(garbage).isEqualTo("one");
        }
    }

    @Test
    void comments_and_empty_lines_in_a_stream_mean_nothing() {
        var noise = new Step.Raw(wire.noise());

        assertThat(ask(Answer.reply(noise, new Step.Say("a"), noise, new Step.Say("b")), user("hi"))
                        .parts())
                .containsExactly(new Part.Text("ab"));
    }

    @Test
    void an_error_in_the_middle_of_a_stream_says_whether_it_may_pass() {
        for (var isTransient : List.of(true, false)) {
            if (!isTransient && !wire.features().contains(Feature.ERROR_KINDS)) {
                continue;
            }
            var failed = failure(Answer.reply(new Step.Say("one"), new Step.Fail(isTransient), new Step.Say("two")));

            assertThat(failed.isTransient()).isEqualTo(isTransient);
            assertThat(failed).hasMessageContaining("something happened");
        }
    }

    @Test
    void a_provider_out_of_reach_may_be_tried_again() {
        server.close();

        var failed = failure(Answer.says("unheard"));

        assertThat(failed.isTransient()).isTrue();
        requireSays(
                failed,
                "nothing listens at 127.0.0.1:" + server.baseUrl().getPort(),
                "check the address, or start the server");
    }

    @Test
    void a_provider_whose_host_nobody_knows_may_be_tried_again() {
        var lost = model(URI.create("http://no-such-host.invalid/v1"));

        var failed = catchThrowableOfType(
                ModelFailed.class, () -> lost.reply(request(user("hi")), fragments::add, new Cancellation()));

        assertThat(failed.isTransient()).isTrue();
        requireSays(failed, "no host called 'no-such-host.invalid' is known", "check the address and the network");
    }

    @Test
    void a_key_that_the_provider_repeats_is_not_passed_on() {
        var error = "{\"type\": \"error\", \"error\": {\"message\": \"wrong key: " + KEY + "\"}}";
        var answers = List.of(
                Answer.status(401, "wrong key: " + KEY),
                Answer.status(500, error),
                Answer.reply(new Step.Raw(wire.event(error))),
                Answer.reply(new Step.Raw(wire.event("wrong key: " + KEY))));
        for (var answer : answers) {
            for (Throwable cause = failure(answer); cause != null; cause = cause.getCause()) {
                assertThat(String.valueOf(cause.getMessage())).doesNotContain(KEY);
            }
        }
    }

    @Test
    void neither_the_model_nor_its_snapshot_shows_the_key() {
        var model = model(server.baseUrl());

        assertThat(model.toString()).doesNotContain(KEY);
        assertThat(Json.MAPPER.writeValueAsString(model.snapshot(Sampling.DEFAULT)))
                .doesNotContain(KEY);
    }

    private ModelFailed failure(Answer answer) {
        server.script(answer);
        return requireFailure(request(user("hi")));
    }

    private ModelFailed requireFailure(ModelRequest request) {
        var failed = catchThrowableOfType(ModelFailed.class, () -> ask(request));
        assertThat(failed).isNotNull();
        return failed;
    }

    private void requireSays(ModelFailed failed, String fact, String next) {
        var model = model(server.baseUrl()).name().toString();
        assertThat(failed.getMessage()).startsWith(model + " ").contains(": " + fact, "; " + next);
    }
}
