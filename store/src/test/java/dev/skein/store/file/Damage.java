package dev.skein.store.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Ways in which a file can be wrong. Same seed, same damage.
final class Damage {

    private static final String SECRET = "somebody else's data\n";

    private final Random random;
    private final Path outside;

    /// Links lead to files in `outside`.
    Damage(Random random, Path outside) {
        this.random = random;
        this.outside = outside;
    }

    /// Damages what is at the path, and says how.
    String of(Path path) throws Exception {
        if (Files.isDirectory(path, NOFOLLOW_LINKS)) {
            return ofDirectory(path);
        }
        var bytes = Files.readAllBytes(path);
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> {
                flip(bytes);
                Files.write(path, bytes);
                yield "bit flips";
            }
            case 3 -> {
                Files.write(path, Arrays.copyOf(bytes, bytes.length == 0 ? 0 : random.nextInt(bytes.length)));
                yield "truncation";
            }
            case 4 -> {
                Files.write(path, insertGarbage(bytes));
                yield "garbage lines";
            }
            case 5 -> {
                Files.write(path, new byte[random.nextInt(2) * 100]);
                yield "emptied or zeroes";
            }
            case 6 -> {
                var text = new String(bytes, StandardCharsets.UTF_8) + "é";
                Files.write(
                        path,
                        text.getBytes(random.nextBoolean() ? StandardCharsets.UTF_16 : StandardCharsets.ISO_8859_1));
                yield "wrong encoding";
            }
            case 7 -> {
                Files.delete(path);
                Files.createDirectory(path);
                Files.writeString(path.resolve("inside"), "x");
                yield "a directory in its place";
            }
            case 8 -> {
                Files.delete(path);
                Files.createSymbolicLink(path, file("target"));
                yield "a symbolic link in its place";
            }
            case 9 -> {
                Files.delete(path);
                Files.createSymbolicLink(path, outside.resolve("missing"));
                yield "a dangling link in its place";
            }
            case 10 -> {
                Files.createLink(outside.resolve("hard"), path);
                yield "a hard link to it";
            }
            default -> {
                Files.delete(path);
                fifo(path);
                yield "a FIFO in its place";
            }
        };
    }

    private String ofDirectory(Path path) throws Exception {
        var moved = outside.resolve("moved");
        Files.move(path, moved);
        return switch (random.nextInt(4)) {
            case 0 -> {
                Files.writeString(path, "not a directory");
                yield "a file in place of the directory";
            }
            case 1 -> {
                Files.createSymbolicLink(path, moved);
                yield "a symbolic link in place of the directory";
            }
            case 2 -> {
                fifo(path);
                yield "a FIFO in place of the directory";
            }
            default -> {
                Files.createSymbolicLink(path, path);
                yield "a link to itself in place of the directory";
            }
        };
    }

    private void flip(byte[] bytes) {
        for (int i = 1 + random.nextInt(3); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
    }

    private byte[] insertGarbage(byte[] bytes) {
        var at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
        var garbage = "\n{\"seq\":3,\"garbage\":true}\n\0\0\n".getBytes(StandardCharsets.UTF_8);
        var result = Arrays.copyOf(bytes, bytes.length + garbage.length);
        System.arraycopy(garbage, 0, result, at, garbage.length);
        System.arraycopy(bytes, at, result, at + garbage.length, bytes.length - at);
        return result;
    }

    private Path file(String name) throws IOException {
        return Files.writeString(outside.resolve(name), SECRET);
    }

    static void fifo(Path path) throws Exception {
        var exit = new ProcessBuilder("mkfifo", path.toString())
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException("mkfifo failed");
        }
    }

    /// All that is in a directory, to see whether it changes.
    static Map<String, String> fingerprint(Path directory) throws IOException {
        var found = new TreeMap<String, String>();
        try (var walk = Files.walk(directory)) {
            for (var path : walk.toList()) {
                found.put(
                        directory.relativize(path).toString(),
                        Files.isRegularFile(path, NOFOLLOW_LINKS)
                                ? new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1)
                                : "");
            }
        }
        return found;
    }

    /// Whether all these bytes are still in some files: in one, or its beginning in one and the rest in another.
    static boolean isSomewhere(Path home, Path outside, byte[] content) throws IOException {
        var wanted = new String(content, StandardCharsets.ISO_8859_1);
        var all = new StringBuilder();
        for (var directory : new Path[] {home, outside}) {
            fingerprint(directory).values().forEach(text -> all.append(text).append('\1'));
        }
        var text = all.toString();
        if (text.contains(wanted)) {
            return true;
        }
        for (int cut = wanted.length() - 1; cut > 0; cut--) {
            if (text.contains(wanted.substring(cut)) && text.contains(wanted.substring(0, cut))) {
                return true;
            }
        }
        return false;
    }
}
