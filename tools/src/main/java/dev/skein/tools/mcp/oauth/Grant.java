package dev.skein.tools.mcp.oauth;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What an authorization server gave us for one server, and what is needed to have it renewed.
///
/// @param issuer who gave it: nobody else is ever shown it, nor the client's secret
/// @param clientAuth how we prove who we are: none, client_secret_basic or client_secret_post
public record Grant(
        String issuer,
        String tokenEndpoint,
        String resource,
        String clientId,
        @Nullable String clientSecret,
        String clientAuth,
        @Nullable String accessToken,
        @Nullable String refreshToken,
        @Nullable Instant expiresAt,
        @Nullable String scope) {

    Grant withoutTokens() {
        return new Grant(issuer, tokenEndpoint, resource, clientId, clientSecret, clientAuth, null, null, null, null);
    }

    Grant with(
            @Nullable String access, @Nullable String refresh, @Nullable Instant expires, @Nullable String newScope) {
        return new Grant(
                issuer,
                tokenEndpoint,
                resource,
                clientId,
                clientSecret,
                clientAuth,
                access,
                refresh,
                expires,
                newScope);
    }

    /// Says nothing of what it holds.
    @Override
    public String toString() {
        return "a grant of " + issuer;
    }
}
