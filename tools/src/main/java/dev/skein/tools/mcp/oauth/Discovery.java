package dev.skein.tools.mcp.oauth;

import dev.skein.tools.mcp.wire.VisibleText;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Finds out who decides about a server: its own metadata name an authorization server, whose metadata say where to go.
record Discovery(AuthWeb web, URI server) {

    private static final String RESOURCE = "/.well-known/oauth-protected-resource";
    private static final String AUTHORIZATION = "/.well-known/oauth-authorization-server";
    private static final String OPENID = "/.well-known/openid-configuration";

    /// Who decides, and about what.
    ///
    /// @param scopes what can be asked for, as the server says; empty if it does not
    record Found(String issuer, String resource, List<String> scopes, JsonNode metadata) {

        Optional<URI> endpoint(String name) {
            return metadata.path(name).isString()
                    ? Optional.of(URI.create(metadata.path(name).stringValue()))
                    : Optional.empty();
        }

        boolean has(String list, String value) {
            return metadata.path(list)
                    .valueStream()
                    .anyMatch(item -> item.asString("").equals(value));
        }
    }

    Found find(Challenge challenge) throws InterruptedException {
        var resource = resource(challenge);
        if (resource.isEmpty()) {
            // Servers that know nothing of this decide themselves.
            var issuer = origin(server);
            return new Found(issuer, server.toString(), List.of(), metadata(issuer));
        }
        var named = resource.get().path("resource").asString("");
        if (!isAbout(named)) {
            throw web.failure("says that it is " + VisibleText.cut(named, 200)
                    + ", which it is not; nothing is asked for that could be used elsewhere");
        }
        var issuer = resource.get().path("authorization_servers").path(0).asString("");
        if (issuer.isEmpty()) {
            throw web.failure("names nobody who could let us in");
        }
        var scopes = resource.get()
                .path("scopes_supported")
                .valueStream()
                .map(scope -> scope.asString(""))
                .toList();
        return new Found(issuer, named, scopes, metadata(issuer));
    }

    private Optional<JsonNode> resource(Challenge challenge) throws InterruptedException {
        var places = new ArrayList<URI>();
        challenge.resourceMetadata().ifPresentOrElse(places::add, () -> {
            if (server.getRawPath().length() > 1) {
                places.add(at(server, RESOURCE + server.getRawPath()));
            }
            places.add(at(server, RESOURCE));
        });
        return firstGood(places);
    }

    private Optional<JsonNode> firstGood(List<URI> places) throws InterruptedException {
        for (var place : places) {
            var answer = web.get(place);
            if (answer.isGood()) {
                return Optional.of(answer.json());
            }
        }
        return Optional.empty();
    }

    /// The same origin, and the server itself or something above it.
    private boolean isAbout(String named) {
        try {
            var resource = URI.create(named);
            var above = resource.getRawPath() == null || resource.getRawPath().isEmpty() ? "/" : resource.getRawPath();
            var path = server.getRawPath().isEmpty() ? "/" : server.getRawPath();
            return resource.getHost() != null
                    && origin(resource).equals(origin(server))
                    && (path.equals(above) || path.startsWith(above.endsWith("/") ? above : above + "/"));
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private JsonNode metadata(String issuer) throws InterruptedException {
        var url = URI.create(issuer);
        var path = url.getRawPath() == null || url.getRawPath().equals("/") ? "" : url.getRawPath();
        var places = new ArrayList<>(List.of(at(url, AUTHORIZATION + path), at(url, OPENID + path)));
        if (!path.isEmpty()) {
            places.add(at(url, path.replaceFirst("/$", "") + OPENID));
        }
        var found = firstGood(places)
                .orElseThrow(() ->
                        web.failure("names " + VisibleText.cut(issuer, 200) + " to log in at, which does not say how"));
        if (!found.path("issuer").asString("").equals(issuer)) {
            throw web.failure("names " + VisibleText.cut(issuer, 200) + " to log in at, which says that it is "
                    + VisibleText.cut(found.path("issuer").asString("nobody"), 200));
        }
        return found;
    }

    private static URI at(URI base, String path) {
        return URI.create(base.getScheme() + "://" + base.getRawAuthority() + path);
    }

    private static String origin(URI url) {
        return (url.getScheme() + "://" + url.getRawAuthority()).toLowerCase(Locale.ROOT);
    }
}
