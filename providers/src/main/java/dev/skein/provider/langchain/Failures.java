package dev.skein.provider.langchain;

import static java.util.Objects.requireNonNullElse;

import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.skein.failure.ModelFailed;
import dev.skein.model.ModelName;
import dev.skein.provider.http.StatusFailed;

/// Says of whatever went wrong whether trying again may help.
final class Failures {

    private static final int DEPTH_MAX = 20;

    private Failures() {}

    static ModelFailed translated(ModelName model, Throwable failure) {
        return switch (rootOf(failure)) {
            case StatusFailed status -> translated(model, status);
            case ProviderSaid said ->
                said.isTransient()
                        ? ModelFailed.unavailable(model, words(said), null, said)
                        : ModelFailed.refused(model, words(said), said);
            case UnsupportedFeatureException unsupported -> ModelFailed.refused(model, words(unsupported), unsupported);
            case IllegalArgumentException wrong -> ModelFailed.refused(model, words(wrong), wrong);
            case Throwable other -> ModelFailed.unavailable(model, words(other), null, other);
        };
    }

    /// The request cannot even be put into words.
    static ModelFailed senseless(ModelName model, RuntimeException failure) {
        return ModelFailed.refused(model, words(failure), failure);
    }

    private static ModelFailed translated(ModelName model, StatusFailed failure) {
        var status = failure.statusCode();
        var why = "status %d: %s".formatted(status, words(failure));
        // An account without money does not get any by waiting.
        var isBroke = status == 429 && words(failure).contains("insufficient_quota");
        var isTransient = status == 408 || status == 409 || status == 425 || status == 429 || status >= 500;
        return isTransient && !isBroke
                ? ModelFailed.unavailable(model, why, failure.retryAfter().orElse(null), failure)
                : ModelFailed.refused(model, why, failure);
    }

    private static String words(Throwable failure) {
        return requireNonNullElse(failure.getMessage(), failure.getClass().getSimpleName());
    }

    /// LangChain4j wraps what we threw.
    private static Throwable rootOf(Throwable failure) {
        var root = failure;
        for (int depth = 0; depth < DEPTH_MAX && root.getCause() != null; depth++) {
            root = root.getCause();
        }
        return root;
    }
}
