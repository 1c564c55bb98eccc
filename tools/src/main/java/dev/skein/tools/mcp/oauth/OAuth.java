package dev.skein.tools.mcp.oauth;

import dev.skein.tools.mcp.wire.Credentials;
import dev.skein.tools.mcp.wire.McpFailure;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Tokens for one server. One that is about to expire is renewed; where a person is there to say yes, a new one is
/// asked
/// for; and where nobody is, whoever needs it is told how to log in. Safe for use by many threads.
public final class OAuth implements Credentials {

    private static final Duration MARGIN = Duration.ofSeconds(30);
    private static final int SECRET_LENGTH_MIN = 8;

    private final String server;
    private final URI url;
    private final OAuthClient client;
    private final TokenFile tokens;
    private final @Nullable Consent consent;
    private final InstantSource clock;
    private final Consumer<Map<String, String>> secrets;
    private final ReentrantLock lock = new ReentrantLock();

    /// @param consent null where nobody sits at a browser
    /// @param secrets hears what must not be shown from now on
    public OAuth(
            String server,
            URI url,
            OAuthClient client,
            TokenFile tokens,
            @Nullable Consent consent,
            InstantSource clock,
            Consumer<Map<String, String>> secrets) {
        this.server = server;
        this.url = url;
        this.client = client;
        this.tokens = tokens;
        this.consent = consent;
        this.clock = clock;
        this.secrets = secrets;
    }

    /// Under which name a server's grant is kept: one that moved is another.
    public static String key(String server, URI url) {
        return server + " " + url;
    }

    @Override
    public Optional<String> token() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            var grant = tokens.get(key(server, url)).orElse(null);
            if (grant == null || grant.accessToken() == null) {
                return Optional.empty();
            }
            var soon = clock.instant().plus(MARGIN);
            if (grant.expiresAt() != null && grant.expiresAt().isBefore(soon) && grant.refreshToken() != null) {
                return refreshed(grant).map(Grant::accessToken);
            }
            return Optional.of(grant.accessToken());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean renew(int status, List<String> challenges, Optional<String> used) throws InterruptedException {
        var challenge = Challenge.of(challenges);
        if (status == 403 && !challenge.wantsMoreScope()) {
            return false;
        }
        lock.lockInterruptibly();
        try {
            var grant = tokens.get(key(server, url)).orElse(null);
            var current = Optional.ofNullable(grant).map(Grant::accessToken);
            if (current.isPresent() && !current.equals(used)) {
                // Somebody else was faster.
                return true;
            }
            if (grant != null
                    && status == 401
                    && grant.refreshToken() != null
                    && refreshed(grant).isPresent()) {
                return true;
            }
            if (consent == null) {
                throw new McpFailure(
                        McpFailure.Kind.UNAUTHORIZED,
                        "the MCP server '" + server + "' wants you to log in; 'skein mcp login " + server
                                + "' does that," + " or give it 'headers' or a 'bearer' that it takes");
            }
            asked(consent, challenge, grant);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void asked(Consent person, Challenge challenge, @Nullable Grant grant) throws InterruptedException {
        try (var web = new AuthWeb(server, url)) {
            var found = new Discovery(web, url).find(challenge);
            // What one issuer gave is nothing to another.
            var earlier = grant != null && grant.issuer().equals(found.issuer()) ? grant : null;
            keep(new Authorization(web, found, client, clock).ask(person, challenge, earlier));
        }
    }

    /// Empty if it cannot be renewed any more.
    private Optional<Grant> refreshed(Grant grant) throws InterruptedException {
        try (var web = new AuthWeb(server, url)) {
            return Optional.of(keep(Authorization.refreshed(web, grant, clock)));
        } catch (McpFailure _) {
            tokens.put(key(server, url), grant.withoutTokens());
            return Optional.empty();
        }
    }

    private Grant keep(Grant grant) {
        tokens.put(key(server, url), grant);
        var known = tokens.secrets();
        known.values().removeIf(value -> value.length() < SECRET_LENGTH_MIN);
        secrets.accept(known);
        return grant;
    }
}
