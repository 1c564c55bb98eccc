package dev.skein.store.jdbc.sql;

import dev.skein.failure.InvalidRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Where a database is. As text it never shows a password.
public sealed interface StoreUrl {

    /// A file, which is made if it is not there.
    record SqliteFile(Path file) implements StoreUrl {
        @Override
        public String toString() {
            return "sqlite:" + file;
        }
    }

    /// A server. `place` is host, port and database, as in a JDBC URL; `parameters` are the driver's.
    record PostgresServer(
            String place, @Nullable String user, @Nullable String password, Map<String, String> parameters)
            implements StoreUrl {

        public PostgresServer {
            parameters = Map.copyOf(parameters);
        }

        @Override
        public String toString() {
            return "postgresql://" + (user == null ? "" : user + "@") + place;
        }
    }

    /// `sqlite:PATH`, or `postgresql://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE[?PARAMETERS]`.
    ///
    /// @throws InvalidRequest if it is neither; the text is not repeated, because it may hold a password
    static StoreUrl parse(String text) {
        // A database in memory would be another one for every connection.
        if (text.startsWith(Patterns.SQLITE)
                && text.length() > Patterns.SQLITE.length()
                && !text.startsWith(":", Patterns.SQLITE.length())) {
            return new SqliteFile(Path.of(text.substring(Patterns.SQLITE.length())));
        }
        var parts = Patterns.POSTGRES.matcher(text);
        if (!parts.matches() || parts.group("database") == null) {
            throw new InvalidRequest("a store is file, sqlite:PATH or postgresql://USER@HOST/DATABASE;"
                    + " what was given is none of these");
        }
        var parameters = parameters(parts.group("parameters"));
        var user = decoded(parts.group("user"));
        var password = decoded(parts.group("password"));
        var userLater = parameters.remove("user");
        var passwordLater = parameters.remove("password");
        return new PostgresServer(
                parts.group("hosts") + "/" + parts.group("database"),
                user != null ? user : userLater,
                password != null ? password : passwordLater,
                parameters);
    }

    private static Map<String, String> parameters(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return new LinkedHashMap<>();
        }
        return Pattern.compile("&")
                .splitAsStream(text)
                .filter(pair -> !pair.isEmpty())
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(
                        pair -> URLDecoder.decode(pair[0], StandardCharsets.UTF_8),
                        pair -> pair.length < 2 ? "" : URLDecoder.decode(pair[1], StandardCharsets.UTF_8),
                        (_, later) -> later,
                        LinkedHashMap::new));
    }

    /// A plus is a plus in this part of a URL.
    private static @Nullable String decoded(@Nullable String text) {
        return text == null ? null : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /// What texts look like.
    final class Patterns {
        private static final String SQLITE = "sqlite:";
        private static final Pattern POSTGRES = Pattern.compile("(?:jdbc:)?postgres(?:ql)?://"
                + "(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?(?<hosts>[^@/?]*)"
                + "(?:/(?<database>[^/?]+))?(?:\\?(?<parameters>.*))?");

        private Patterns() {}
    }
}
