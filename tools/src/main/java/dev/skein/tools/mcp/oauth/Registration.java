package dev.skein.tools.mcp.oauth;

import dev.skein.tools.mcp.wire.VisibleText;
import dev.skein.tools.mcp.wire.WireJson;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Who we are to an authorization server: somebody it knows already, or somebody who introduces himself.
record Registration(AuthWeb web, Discovery.Found found, OAuthClient client) {

    static final String NONE = "none";
    static final String BASIC = "client_secret_basic";
    static final String POST = "client_secret_post";

    private static final String METHODS = "token_endpoint_auth_methods_supported";

    /// A grant without tokens.
    ///
    /// @param earlier what the same issuer gave us before; null if nothing
    Grant us(URI redirect, @Nullable Grant earlier) throws InterruptedException {
        if (client.id() != null) {
            return us(client.id(), client.secret(), client.secret() == null ? NONE : method());
        }
        if (client.metadataUrl() != null
                && found.metadata()
                        .path("client_id_metadata_document_supported")
                        .asBoolean(false)) {
            return us(client.metadataUrl(), null, NONE);
        }
        return earlier != null
                ? us(earlier.clientId(), earlier.clientSecret(), earlier.clientAuth())
                : introduced(redirect);
    }

    private Grant introduced(URI redirect) throws InterruptedException {
        var endpoint = found.endpoint("registration_endpoint")
                .orElseThrow(() -> web.failure("is decided about by " + VisibleText.cut(found.issuer(), 200)
                        + ", which takes no newcomers; register there, and give the server an oauth.client_id"));
        var wanted = method();
        var about = WireJson.object()
                .put("client_name", "Skein")
                .put("application_type", "native")
                .put("token_endpoint_auth_method", wanted);
        about.putArray("redirect_uris").add(redirect.toString());
        about.putArray("response_types").add("code");
        List.of("authorization_code", "refresh_token").forEach(about.putArray("grant_types")::add);
        var answer = web.postJson(endpoint, about);
        var id = answer.json().path("client_id").asString("");
        if (!answer.isGood() || id.isEmpty()) {
            throw web.failure("is decided about by " + VisibleText.cut(found.issuer(), 200)
                    + ", which does not take us: "
                    + VisibleText.cut(
                            answer.json().path("error_description").asString("HTTP " + answer.status()), 500));
        }
        var secret = answer.json().path("client_secret");
        return us(
                id,
                secret.isString() ? secret.stringValue() : null,
                secret.isString()
                        ? answer.json().path("token_endpoint_auth_method").asString(wanted)
                        : NONE);
    }

    private Grant us(String id, @Nullable String secret, String method) {
        var token = found.endpoint("token_endpoint")
                .orElseThrow(() -> web.failure("is decided about by " + found.issuer() + ", which gives no tokens"));
        return new Grant(
                found.issuer(),
                web.checked(token).toString(),
                found.resource(),
                id,
                secret,
                method,
                null,
                null,
                null,
                null);
    }

    /// What both can do. Those who do not say can do the first.
    private String method() {
        if (found.metadata().path(METHODS).isEmpty() || found.has(METHODS, BASIC)) {
            return found.has(METHODS, NONE) && client.secret() == null ? NONE : BASIC;
        }
        return found.has(METHODS, POST) && !(found.has(METHODS, NONE) && client.secret() == null) ? POST : NONE;
    }
}
