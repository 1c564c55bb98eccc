package dev.skein.store;

import dev.skein.message.Cost;
import dev.skein.message.Usage;
import dev.skein.session.ForkRef;
import dev.skein.session.Origin;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import dev.skein.session.SessionStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What a listing says about a session. The same object on the command line and over HTTP.
///
/// `legacy` is the name of a file of another tool that was not migrated yet; such a session has no id.
public record SessionSummary(
        @Nullable SessionId id,
        @Nullable String alias,
        String owner,
        @Nullable String agent,
        @Nullable String description,
        SessionStatus status,
        @Nullable String model,
        @Nullable String provider,
        @Nullable String role,
        @Nullable String rag,
        Instant createdAt,
        Instant lastActivityAt,
        long messageCount,
        long loopCount,
        @Nullable String firstMessage,
        Usage usage,
        Cost cost,
        boolean autoname,
        @Nullable Origin origin,
        @Nullable ForkRef fork,
        @Nullable String legacy) {

    /// The same summary under another name.
    public SessionSummary named(@Nullable String newAlias) {
        return new SessionSummary(
                id,
                newAlias,
                owner,
                agent,
                description,
                status,
                model,
                provider,
                role,
                rag,
                createdAt,
                lastActivityAt,
                messageCount,
                loopCount,
                firstMessage,
                usage,
                cost,
                false,
                origin,
                fork,
                legacy);
    }

    public static SessionSummary of(SessionState state) {
        var opened = state.opened();
        var settings = state.settings();
        var config = state.lastConfig();
        return new SessionSummary(
                state.id(),
                state.alias() == null ? null : state.alias().text(),
                opened.owner(),
                opened.agent(),
                state.description(),
                state.status(),
                settings.model() != null ? settings.model() : config == null ? null : config.model(),
                settings.provider() != null ? settings.provider() : config == null ? null : config.provider(),
                settings.role(),
                settings.rag(),
                opened.at(),
                state.lastActivityAt(),
                state.totals().messages(),
                state.totals().loops(),
                state.firstMessage(),
                state.usage(),
                state.cost(),
                state.autoname(),
                opened.origin(),
                opened.fork(),
                null);
    }
}
