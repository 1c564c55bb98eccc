package dev.skein.cli.serve;

import dev.skein.cli.program.CommandFailure;
import dev.skein.failure.StorageFailed;
import dev.skein.server.auth.Authentication;
import dev.skein.server.auth.Caller;
import dev.skein.server.auth.Grant;
import dev.skein.session.Scope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The secret by which a server knows the person whose home it serves. It is made at the first start and kept in a file
/// that nobody else can read.
record LocalToken(Path file, String secret) implements Authentication {

    private static final String PREFIX = "Bearer ";
    private static final int BYTES = 32;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    static LocalToken in(Path home) {
        var file = home.resolve("server.token");
        try {
            Files.createDirectories(home);
            make(file);
            return new LocalToken(file, read(file));
        } catch (IOException e) {
            throw StorageFailed.io("read the token in " + file, e);
        }
    }

    private static void make(Path file) throws IOException {
        var bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            Files.writeString(file, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + "\n");
        } catch (FileAlreadyExistsException _) {
            // Made at an earlier start.
        }
    }

    private static String read(Path file) throws IOException {
        var secret = Files.readString(file).strip();
        var permissions = Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
        if (secret.length() < BYTES || !OWNER_ONLY.containsAll(permissions)) {
            throw CommandFailure.usage("'" + file + "' is too short for a token, or others may read it;"
                    + " remove it, and a new one is made");
        }
        return secret;
    }

    @Override
    public Optional<Caller> caller(@Nullable String authorization) {
        if (authorization == null || !authorization.startsWith(PREFIX)) {
            return Optional.empty();
        }
        var given = authorization.substring(PREFIX.length()).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(given, secret.getBytes(StandardCharsets.UTF_8))
                ? Optional.of(new Caller(Scope.LOCAL_OWNER, EnumSet.allOf(Grant.class)))
                : Optional.empty();
    }
}
