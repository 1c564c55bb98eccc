package dev.skein.server.auth;

import dev.skein.failure.UnsafeSettings;
import dev.skein.server.auth.Caller.Kind;
import dev.skein.server.auth.Caller.Proof;
import dev.skein.session.Scope;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Lets in whoever can read a file of the person who runs the server: the command line and the page it opens.
///
/// The first start makes the file. The caller is the owner of the command line's sessions and may do everything.
public final class LocalToken implements Authentication {

    private static final byte[] SALT = {};
    private static final String PREFIX = "skein_local_";
    private static final Pattern FORM = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{43}");
    private static final Caller LOCAL =
            new Caller(Scope.LOCAL_OWNER, EnumSet.allOf(Grant.class), new Proof(Kind.LOCAL_TOKEN, "local", null));

    private final PrivateFile file;
    private volatile byte[] hash;

    private LocalToken(PrivateFile file, byte[] hash) {
        this.file = file;
        this.hash = hash;
    }

    /// Makes the file if there is none.
    ///
    /// @throws UnsafeSettings if others may read the file, or it holds no token
    public static LocalToken open(Path path, SecureRandom random) {
        var file = new PrivateFile(path);
        if (file.stamp().isEmpty()) {
            file.createIfMissing(PREFIX + Bearer.newSecret(random) + "\n");
        }
        return new LocalToken(file, Bearer.hash(SALT, read(file)));
    }

    /// The token in the file, for the command line.
    public static Optional<String> find(Path path) {
        var file = new PrivateFile(path);
        return file.stamp().map(_ -> read(file));
    }

    @Override
    public Optional<Caller> caller(@Nullable String authorization) {
        return Bearer.token(authorization)
                .filter(token -> MessageDigest.isEqual(Bearer.hash(SALT, token), hash))
                .map(_ -> LOCAL);
    }

    @Override
    public void reload() {
        hash = Bearer.hash(SALT, read(file));
    }

    private static String read(PrivateFile file) {
        var token = file.read().map(String::strip).orElse("");
        if (!FORM.matcher(token).matches()) {
            throw UnsafeSettings.open(file.path() + " holds no token; delete it, and the next start makes a new one");
        }
        return token;
    }
}
