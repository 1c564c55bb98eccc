package dev.skein.server.page;

import dev.skein.failure.NoSuchRoute;
import dev.skein.server.http.Exchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;

/// Serves the page and its files.
///
/// What the files hold is part of their address, so a browser keeps them for good, and a new program's page never runs
/// with an old program's files. The page itself is asked for anew each time.
public final class Page {

    /// Nothing from elsewhere, nothing inline, and no text ever becomes markup or code: what a model says is hostile.
    private static final String POLICY = String.join(
            "; ",
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'");

    private static final String VERSION = "@version@";

    private final Map<Asset, byte[]> files = new EnumMap<>(Asset.class);
    private final String version;
    private final byte[] html;

    public Page() {
        for (var asset : Asset.values()) {
            files.put(asset, asset.bytes());
        }
        var template = new String(Asset.read("index.html"), StandardCharsets.UTF_8);
        this.version = digest(template);
        this.html = template.replace(VERSION, version).getBytes(StandardCharsets.UTF_8);
    }

    /// The page.
    public void show(Exchange exchange) {
        answer(exchange, "text/html; charset=utf-8", "no-cache", html);
    }

    /// One of its files.
    public void file(Exchange exchange) {
        var asset = Asset.named(exchange.parameter("file")).orElseThrow(NoSuchRoute::new);
        if (!exchange.parameter("version").equals(version)) {
            throw new NoSuchRoute();
        }
        var bytes = files.getOrDefault(asset, new byte[0]);
        answer(exchange, asset.mediaType(), "public, max-age=31536000, immutable", bytes);
    }

    private void answer(Exchange exchange, String mediaType, String caching, byte[] bytes) {
        var tag = '"' + version + '"';
        var headers = Map.of(
                "ETag", tag,
                "Cache-Control", caching,
                "Content-Security-Policy", POLICY,
                "Cross-Origin-Opener-Policy", "same-origin",
                "Cross-Origin-Resource-Policy", "same-origin",
                "Permissions-Policy", "camera=(), geolocation=(), microphone=()",
                "Referrer-Policy", "no-referrer",
                "X-Content-Type-Options", "nosniff",
                "X-Frame-Options", "DENY");
        if (exchange.header("If-None-Match").filter(tag::equals).isPresent()) {
            exchange.unchanged(headers);
        } else {
            exchange.answer(mediaType, headers, bytes);
        }
    }

    private String digest(String template) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(template.getBytes(StandardCharsets.UTF_8));
            files.values().forEach(digest::update);
            return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
