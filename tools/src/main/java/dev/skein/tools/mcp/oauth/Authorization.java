package dev.skein.tools.mcp.oauth;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.tools.mcp.wire.VisibleText;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Gets a grant: a person's yes is exchanged for a token, with a proof that both ends of the exchange are the same.
record Authorization(AuthWeb web, Discovery.Found found, OAuthClient client, InstantSource clock) {

    private static final int SECRET_BYTES = 32;
    private static final int SECONDS_MAX = 366 * 86_400;
    private static final String OFFLINE = "offline_access";

    /// What the token endpoint says of a grant that is good for nothing any more.
    private static final Set<String> OVER = Set.of("invalid_grant", "invalid_client");

    private static final SecureRandom RANDOM = new SecureRandom();

    /// @param earlier what the same issuer gave us before; null if nothing
    Grant ask(Consent consent, Challenge challenge, @Nullable Grant earlier) throws InterruptedException {
        if (!found.has("code_challenge_methods_supported", "S256")) {
            throw web.failure("is decided about by " + VisibleText.cut(found.issuer(), 200)
                    + ", which does not take the proof (PKCE S256) without which a token could be stolen");
        }
        var us = new Registration(web, found, client).us(consent.redirect(), earlier);
        var verifier = secret();
        var state = secret();
        var scope = scope(challenge, earlier);
        var query = new LinkedHashMap<String, String>();
        query.put("response_type", "code");
        query.put("client_id", us.clientId());
        query.put("redirect_uri", consent.redirect().toString());
        query.put("code_challenge", challenge(verifier));
        query.put("code_challenge_method", "S256");
        query.put("state", state);
        query.put("resource", found.resource());
        scope.ifPresent(text -> query.put("scope", text));
        var code = code(consent.ask(with(endpoint("authorization_endpoint"), query)), state);

        var form = new LinkedHashMap<String, String>();
        form.put("grant_type", "authorization_code");
        form.put("code", code);
        form.put("redirect_uri", consent.redirect().toString());
        form.put("code_verifier", verifier);
        return granted(web, us, token(web, us, form), clock, scope.orElse(null));
    }

    /// Another token for a grant that can be renewed; empty if its issuer says that it can be no more.
    static Optional<Grant> refreshed(AuthWeb web, Grant grant, InstantSource clock) throws InterruptedException {
        var form = new LinkedHashMap<String, String>();
        form.put("grant_type", "refresh_token");
        form.put("refresh_token", String.valueOf(grant.refreshToken()));
        var answer = token(web, grant, form);
        var isOver = (answer.status() == 400 || answer.status() == 401)
                && OVER.contains(answer.json().path("error").asString(""));
        return isOver ? Optional.empty() : Optional.of(granted(web, grant, answer, clock, grant.scope()));
    }

    private static AuthWeb.Answer token(AuthWeb web, Grant us, Map<String, String> form) throws InterruptedException {
        String authorization = null;
        form.put("resource", us.resource());
        switch (us.clientAuth()) {
            case Registration.BASIC ->
                authorization = "Basic "
                        + Base64.getEncoder()
                                .encodeToString(
                                        AuthWeb.encoded(Map.of(us.clientId(), String.valueOf(us.clientSecret())))
                                                .replaceFirst("=", ":")
                                                .getBytes(UTF_8));
            case Registration.POST -> {
                form.put("client_id", us.clientId());
                form.put("client_secret", String.valueOf(us.clientSecret()));
            }
            default -> form.put("client_id", us.clientId());
        }
        return web.postForm(URI.create(us.tokenEndpoint()), form, authorization);
    }

    private static Grant granted(
            AuthWeb web, Grant us, AuthWeb.Answer answer, InstantSource clock, @Nullable String scope) {
        var json = answer.json();
        if (!answer.isGood() || json.path("access_token").asString("").isEmpty()) {
            throw web.failure("does not let us in: "
                    + VisibleText.cut(
                            json.path("error_description")
                                    .asString(json.path("error").asString("HTTP " + answer.status())),
                            500));
        }
        var refresh = json.path("refresh_token").isString()
                ? json.path("refresh_token").stringValue()
                : us.refreshToken();
        return us.with(
                json.path("access_token").stringValue(),
                refresh,
                expiry(json, clock.instant()),
                json.path("scope").asString(scope == null ? "" : scope));
    }

    private static @Nullable Instant expiry(JsonNode json, Instant now) {
        var seconds = json.path("expires_in").asInt(0);
        return seconds <= 0 ? null : now.plusSeconds(Math.min(seconds, SECONDS_MAX));
    }

    /// What the server wants, else what it says there is; never more than that, but what was granted before stays.
    private Optional<String> scope(Challenge challenge, @Nullable Grant earlier) {
        var wanted = client.scope() != null
                ? Optional.of(client.scope())
                : challenge
                        .scope()
                        .or(() -> found.scopes().isEmpty()
                                ? Optional.empty()
                                : Optional.of(String.join(" ", found.scopes())));
        Set<String> all = new LinkedHashSet<>();
        if (challenge.wantsMoreScope() && earlier != null && earlier.scope() != null) {
            all.addAll(words(earlier.scope()));
        }
        wanted.ifPresent(scope -> all.addAll(words(scope)));
        if (found.has("scopes_supported", OFFLINE)) {
            all.add(OFFLINE);
        }
        all.remove("");
        return all.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", all));
    }

    private static List<String> words(String scope) {
        return new ArrayList<>(Arrays.asList(scope.strip().split("\\s+")));
    }

    /// What came back must be an answer to what we asked, from whom we asked.
    private String code(Map<String, String> back, String state) {
        if (!state.equals(back.get("state"))) {
            throw web.failure("was not asked what the browser brings an answer to; try again");
        }
        var issuer = back.get("iss");
        var promised = found.metadata()
                .path("authorization_response_iss_parameter_supported")
                .asBoolean(false);
        if (issuer == null ? promised : !issuer.equals(found.issuer())) {
            throw web.failure("is answered for by " + VisibleText.cut(issuer == null ? "nobody" : issuer, 200)
                    + " and not by " + VisibleText.cut(found.issuer(), 200) + ", who was asked; nothing is believed");
        }
        if (back.get("code") == null) {
            throw web.failure("does not let us in: "
                    + VisibleText.cut(
                            back.getOrDefault("error_description", back.getOrDefault("error", "no code")), 500));
        }
        return String.valueOf(back.get("code"));
    }

    private URI endpoint(String name) {
        return web.checked(found.endpoint(name)
                .orElseThrow(() -> web.failure("is decided about by " + found.issuer() + ", which has no " + name)));
    }

    private static URI with(URI endpoint, Map<String, String> query) {
        return URI.create(endpoint + (endpoint.getRawQuery() == null ? "?" : "&") + AuthWeb.encoded(query));
    }

    private static String secret() {
        var bytes = new byte[SECRET_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String challenge(String verifier) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
