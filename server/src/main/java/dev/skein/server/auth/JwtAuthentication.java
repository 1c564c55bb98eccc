package dev.skein.server.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.proc.SimpleSecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.skein.failure.InvalidRequest;
import dev.skein.server.auth.Caller.Kind;
import dev.skein.server.auth.Caller.Proof;
import dev.skein.session.Scope;
import java.net.MalformedURLException;
import java.text.ParseException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets in who has a token that a trusted issuer signed for us.
///
/// Only signatures with a public key count: a token that names no algorithm, or one with a shared secret, proves
/// nothing. The issuer's keys are fetched when first needed, kept, and asked for again at a limited rate when a token
/// names an unknown one; while nobody answers, those that are known go on to count.
public final class JwtAuthentication implements Authentication {

    private static final Logger LOG = LoggerFactory.getLogger(JwtAuthentication.class);
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512,
            JWSAlgorithm.EdDSA,
            JWSAlgorithm.Ed25519);
    private static final Set<String> TYPES = Set.of("JWT", "at+jwt");
    private static final int FETCH_MILLIS = 3_000;
    private static final int FETCH_BYTES = 256 * 1024;
    private static final int RSA_BITS_MIN = 2_048;

    private final JwtSettings settings;
    private final InstantSource clock;
    private final JWKSource<SecurityContext> keys;

    public JwtAuthentication(JwtSettings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.keys = source(settings);
    }

    private static JWKSource<SecurityContext> source(JwtSettings settings) {
        try {
            return JWKSourceBuilder.<SecurityContext>create(
                            settings.keys().toURL(),
                            new DefaultResourceRetriever(FETCH_MILLIS, FETCH_MILLIS, FETCH_BYTES))
                    .cache(settings.cached().toMillis(), 2L * FETCH_MILLIS)
                    .refreshAheadCache(false)
                    .rateLimited(settings.between().toMillis())
                    .outageTolerant(settings.outage().toMillis())
                    .retrying(false)
                    .build();
        } catch (MalformedURLException e) {
            throw new InvalidRequest("server.jwt.jwks: must be an https address, not '" + settings.keys() + "'");
        }
    }

    @Override
    public Optional<Caller> caller(@Nullable String authorization) {
        return Bearer.token(authorization)
                .filter(token -> token.startsWith("eyJ"))
                .flatMap(this::proven);
    }

    @Override
    public boolean stillValid(Caller caller) {
        var until = caller.proof().until();
        return caller.proof().kind() != Kind.JWT
                || until == null
                || clock.instant().isBefore(until.plus(settings.skew()));
    }

    private Optional<Caller> proven(String token) {
        try {
            var jwt = SignedJWT.parse(token);
            var header = jwt.getHeader();
            var type = header.getType();
            if (!ALGORITHMS.contains(header.getAlgorithm()) || !isTyped(type) || header.getCriticalParams() != null) {
                return Optional.empty();
            }
            var candidates = keys.get(new JWKSelector(JWKMatcher.forJWSHeader(header)), new SimpleSecurityContext());
            for (var key : candidates) {
                if (isSignedWith(key, jwt)) {
                    return caller(jwt.getJWTClaimsSet());
                }
            }
        } catch (RateLimitReachedException _) {
            LOG.debug("a token names an unknown key, and its issuer was asked a moment ago");
        } catch (KeySourceException e) {
            LOG.warn("the keys of {} could not be had: {}", settings.issuer(), e.getMessage());
        } catch (ParseException | JOSEException | IllegalArgumentException | InvalidRequest e) {
            LOG.debug("a token proves nothing: {}", e.getMessage());
        }
        return Optional.empty();
    }

    private static boolean isTyped(@Nullable JOSEObjectType type) {
        return type == null || TYPES.stream().anyMatch(known -> known.equalsIgnoreCase(type.getType()));
    }

    private static boolean isSignedWith(JWK key, SignedJWT jwt) throws JOSEException {
        return switch (key) {
            case RSAKey rsa -> rsa.size() >= RSA_BITS_MIN && jwt.verify(new RSASSAVerifier(rsa.toPublicJWK()));
            case ECKey ec -> jwt.verify(new ECDSAVerifier(ec.toPublicJWK()));
            case OctetKeyPair pair -> EdwardsSignature.verifies(pair, jwt);
            default -> false;
        };
    }

    private Optional<Caller> caller(JWTClaimsSet claims) throws ParseException {
        var now = clock.instant();
        var subject = claims.getSubject();
        var expires = claims.getExpirationTime();
        var notBefore = claims.getNotBeforeTime();
        var isForUs = settings.issuer().equals(claims.getIssuer())
                && claims.getAudience().contains(settings.audience())
                && expires != null
                && now.isBefore(expires.toInstant().plus(settings.skew()))
                && (notBefore == null || !now.isBefore(notBefore.toInstant().minus(settings.skew())));
        // The sessions of the command line belong to the machine, not to somebody at the issuer.
        if (!isForUs || subject == null || subject.equals(Scope.LOCAL_OWNER)) {
            return Optional.empty();
        }
        return Optional.of(new Caller(subject, grants(claims), proof(claims, expires.toInstant())));
    }

    private static Proof proof(JWTClaimsSet claims, Instant until) {
        var id = claims.getJWTID();
        return new Proof(Kind.JWT, id == null ? "" : id, until);
    }

    /// What the issuer allows and we know of.
    private static Set<Grant> grants(JWTClaimsSet claims) {
        var grants = EnumSet.noneOf(Grant.class);
        Stream.of("scope", "scp")
                .map(claims::getClaim)
                .flatMap(JwtAuthentication::words)
                .forEach(word -> Grant.of(word).ifPresent(grants::add));
        return grants;
    }

    private static Stream<String> words(@Nullable Object claim) {
        return switch (claim) {
            case null -> Stream.of();
            case String text -> Arrays.stream(text.split(" "));
            case Collection<?> many -> many.stream().map(String::valueOf);
            default -> List.<String>of().stream();
        };
    }
}
