package dev.skein.tools.mcp.oauth;

import org.jspecify.annotations.Nullable;

/// Who we are to an authorization server, where a person has arranged that. Null means: we introduce ourselves.
///
/// @param metadataUrl where a document about us is, for those who take its address for our id
/// @param scope what to ask for, if not what the server says
public record OAuthClient(
        @Nullable String id,
        @Nullable String secret,
        @Nullable String metadataUrl,
        @Nullable String scope) {

    public static final OAuthClient NONE = new OAuthClient(null, null, null, null);

    /// Says nothing of what it holds.
    @Override
    public String toString() {
        return id == null ? "no client id" : id;
    }
}
