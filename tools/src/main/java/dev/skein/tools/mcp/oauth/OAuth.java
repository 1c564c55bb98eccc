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
/// asked for; and where nobody is, whoever needs it is told how to log in. Only the word of its issuer that it is
/// over takes a grant away.
///
/// Safe for use by many threads.
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
                return renewed(grant, grant.accessToken());
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
                    && renewed(grant, null).isPresent()) {
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

    /// The new token; empty if the grant is over, or a person is asked anyway.
    ///
    /// @param still what serves meanwhile, if it can; null if nothing does
    private Optional<String> renewed(Grant grant, @Nullable String still) throws InterruptedException {
        try {
            return refreshed(grant).map(Grant::accessToken);
        } catch (McpFailure e) {
            var isValid = grant.expiresAt() != null && clock.instant().isBefore(grant.expiresAt());
            if (consent != null || (still != null && isValid)) {
                return Optional.ofNullable(still);
            }
            throw e.saying("the token of the MCP server '" + server + "' cannot be renewed just now and is kept: "
                    + e.getMessage() + "; try again later, or get another with 'skein mcp login " + server + "'");
        }
    }

    /// Empty if it cannot be renewed any more.
    private Optional<Grant> refreshed(Grant grant) throws InterruptedException {
        try (var web = new AuthWeb(server, url)) {
            var fresh = Authorization.refreshed(web, grant, clock);
            if (fresh.isPresent()) {
                return Optional.of(keep(fresh.get()));
            }
        }
        // Of two processes that renew one grant at once, only one is given tokens: these are good.
        var stored = tokens.dropped(key(server, url), grant);
        stored.ifPresent(_ -> learn());
        return stored;
    }

    private Grant keep(Grant grant) {
        tokens.put(key(server, url), grant);
        learn();
        return grant;
    }

    private void learn() {
        var known = tokens.secrets();
        known.values().removeIf(value -> value.length() < SECRET_LENGTH_MIN);
        secrets.accept(known);
    }
}
