package dev.skein.failure;

import org.jspecify.annotations.Nullable;

/// A collection of documents could not be made, changed or searched.
public final class RagFailed extends SkeinException {

    private RagFailed(FailureKind kind, String code, String message, @Nullable Throwable cause) {
        super(kind, code, message, cause);
    }

    public static RagFailed notFound(String name) {
        return new RagFailed(
                FailureKind.NOT_FOUND,
                "rag.not_found",
                "there is no rag '" + name + "'; 'skein rag list' shows which there are",
                null);
    }

    public static RagFailed exists(String name) {
        return new RagFailed(
                FailureKind.CONFLICT,
                "rag.exists",
                "there is a rag '" + name + "' already; add sources to it, or choose another name",
                null);
    }

    /// Somebody else builds it.
    public static RagFailed locked(String name) {
        return new RagFailed(
                FailureKind.LOCKED,
                "rag.locked",
                "the rag '" + name + "' is being built by somebody else; try again when that is done",
                null);
    }

    public static RagFailed damaged(String name, Throwable cause) {
        return new RagFailed(
                FailureKind.IO,
                "rag.damaged",
                "the rag '" + name + "' cannot be read (" + cause.getMessage() + "); delete it and create it again",
                cause);
    }

    /// Texts could not be turned into vectors. `why` names the model and what to do.
    public static RagFailed embedding(String why, @Nullable Throwable cause) {
        return new RagFailed(FailureKind.PROVIDER, "rag.embedding_failed", why, cause);
    }
}
