package dev.skein.provider.remote;

import static java.util.Objects.requireNonNullElse;

import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.skein.failure.ModelFailed;
import dev.skein.model.ModelName;
import dev.skein.provider.http.CallFailed;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.StatusFailed;
import dev.skein.wire.Json;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// Says of whatever went wrong what it was, what to do, and whether trying again may help.
final class Failures {

    private static final int DEPTH_MAX = 20;

    private Failures() {}

    static ModelFailed translated(RemoteModel model, Endpoint endpoint, Throwable failure) {
        var name = model.name();
        return switch (tellingOf(failure)) {
            case StatusFailed status -> translated(name, endpoint, status);
            case CallFailed call ->
                call.isTransient()
                        ? ModelFailed.unavailable(name, words(call), call.next(), null, call)
                        : ModelFailed.refused(name, words(call), call.next(), call);
            case ProviderSaid said ->
                said.isTransient()
                        ? ModelFailed.unavailable(name, words(said), null, said)
                        : ModelFailed.refused(name, words(said), said);
            case UnsupportedFeatureException unsupported -> senseless(name, unsupported);
            case IllegalArgumentException wrong -> senseless(name, wrong);
            case Throwable other -> ModelFailed.unavailable(name, words(other), null, other);
        };
    }

    /// The request cannot even be put into words.
    static ModelFailed senseless(ModelName model, RuntimeException failure) {
        return ModelFailed.refused(model, words(failure), failure);
    }

    private static ModelFailed translated(ModelName model, Endpoint endpoint, StatusFailed failure) {
        var status = failure.statusCode();
        var why = "status %d: %s".formatted(status, said(words(failure)));
        // An account without money does not get any by waiting.
        var isBroke = status == 402 || (status == 429 && words(failure).contains("insufficient_quota"));
        var isTransient = status == 408 || status == 409 || status == 425 || status == 429 || status >= 500;
        if (isTransient && !isBroke) {
            var wait = failure.retryAfter().orElse(null);
            return ModelFailed.unavailable(model, why, nextAfter(wait), wait, failure);
        }
        var next = isBroke ? "look at the plan and the credit of the account" : next(status, why, endpoint);
        return ModelFailed.refused(model, why, next, failure);
    }

    private static String nextAfter(@Nullable Duration wait) {
        return wait == null ? "try again later" : "try again in %d s".formatted(Math.ceilDiv(wait.toMillis(), 1_000));
    }

    private static String next(int status, String why, Endpoint endpoint) {
        if (status == 401 || status == 403 || why.toLowerCase(Locale.ROOT).contains("api key not valid")) {
            var variable = endpoint.keyVariable();
            return variable.isEmpty() ? "check the provider's key" : "check the key in " + variable;
        }
        return switch (status) {
            case 301, 302, 303, 307, 308 -> "check the address: redirects are not followed";
            case 404 -> "check the model's name and the address";
            case 413 -> "shorten the conversation";
            default -> "change the request";
        };
    }

    /// The sentence in a body, if it is one of the usual shapes; else the body.
    private static String said(String body) {
        try {
            var json = Json.MAPPER.readTree(body);
            for (var place : new String[] {"/error/message", "/0/error/message", "/error", "/message", "/detail"}) {
                var sentence = json.at(place).asString("");
                if (!sentence.isBlank()) {
                    return sentence;
                }
            }
        } catch (JacksonException _) {
            // Not JSON: shown as it is.
        }
        return body;
    }

    private static String words(Throwable failure) {
        return requireNonNullElse(failure.getMessage(), failure.getClass().getSimpleName());
    }

    /// The status with which the provider answered, if that is what went wrong.
    static Optional<StatusFailed> status(Throwable failure) {
        return tellingOf(failure) instanceof StatusFailed status ? Optional.of(status) : Optional.empty();
    }

    /// LangChain4j wraps what we threw: our own failure if there is one among the causes, else the last cause.
    private static Throwable tellingOf(Throwable failure) {
        var deepest = failure;
        for (int depth = 0; depth < DEPTH_MAX; depth++) {
            if (deepest instanceof StatusFailed || deepest instanceof CallFailed || deepest instanceof ProviderSaid) {
                return deepest;
            }
            var cause = Optional.ofNullable(deepest.getCause());
            if (cause.isEmpty()) {
                return deepest;
            }
            deepest = cause.get();
        }
        return deepest;
    }
}
