package dev.skein.tools.mcp.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/// What two users of a server must have in common to share it: its name and everything it is started with. So whoever
/// comes with other credentials gets another server. Holds a digest only, so that nothing can be read out of it.
public record ServerKey(String name, String digest) {

    public static ServerKey of(McpServer server) {
        var hash = sha256();
        add(hash, server.name());
        add(hash, server.protocol().name());
        switch (server.reach()) {
            case McpServer.Reach.Child child -> {
                add(hash, "child");
                add(hash, child.command());
                add(hash, String.valueOf(child.args().size()));
                child.args().forEach(arg -> add(hash, arg));
                add(hash, child.env());
                add(hash, String.valueOf(child.cwd()));
            }
            case McpServer.Reach.Web web -> {
                add(hash, "web");
                add(hash, web.url().toString());
                add(hash, web.headers());
                add(hash, String.valueOf(web.oauth().id()));
                add(hash, String.valueOf(web.oauth().secret()));
                add(hash, String.valueOf(web.oauth().metadataUrl()));
                add(hash, String.valueOf(web.oauth().scope()));
            }
        }
        return new ServerKey(server.name(), HexFormat.of().formatHex(hash.digest()));
    }

    private static void add(MessageDigest hash, Map<String, String> values) {
        new TreeMap<>(values).forEach((name, value) -> {
            add(hash, name);
            add(hash, value);
        });
    }

    /// With its length, so that no two lists of texts look alike.
    private static void add(MessageDigest hash, String text) {
        var bytes = text.getBytes(UTF_8);
        hash.update((bytes.length + ":").getBytes(UTF_8));
        hash.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
