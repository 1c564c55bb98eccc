package dev.skein.server.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.skein.testkit.MutableClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tokens of an issuer that publishes its keys on a real socket.
class JwtAuthenticationTest {

    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");
    private static final String ISSUER = "https://issuer.example";
    private static final String US = "skein";
    private static final RSAKey RSA = rsa("rsa-1", 2_048);
    private static final ECKey EC = ec("ec-1");

    private final MutableClock clock = new MutableClock(NOW);
    private final AtomicInteger asked = new AtomicInteger();
    private volatile JWKSet published = new JWKSet(List.<JWK>of(RSA, EC));
    private HttpServer issuer;
    private JwtAuthentication authentication;

    @BeforeEach
    void start() throws Exception {
        issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.createContext("/keys", exchange -> {
            asked.incrementAndGet();
            var bytes = published.toString(true).getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        issuer.start();
        authentication = new JwtAuthentication(settings(Duration.ofSeconds(30)), clock);
    }

    @AfterEach
    void stop() {
        issuer.stop(0);
    }

    @Test
    void a_token_of_the_issuer_tells_who_asks_and_what_they_may() throws Exception {
        var caller = caller(signed(
                RSA,
                claims().claim("scope", "read:sessions run:agents other:thing").build()));

        assertThat(caller.subject()).isEqualTo("ann@example.org");
        assertThat(caller.grants()).containsExactlyInAnyOrder(Grant.READ_SESSIONS, Grant.RUN_AGENTS);
        var listed =
                caller(signed(EC, claims().claim("scp", List.of("read:models")).build()));
        assertThat(listed.grants()).containsExactly(Grant.READ_MODELS);
        assertThat(caller(signed(RSA, claims().build())).grants()).isEmpty();
    }

    @Test
    void edwards_curves_count_too() throws Exception {
        var pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        var encoded = pair.getPublic().getEncoded();
        var point = Base64URL.encode(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
        published = new JWKSet(
                new OctetKeyPair.Builder(Curve.Ed25519, point).keyID("ed-1").build());
        var header = Base64URL.encode("{\"alg\":\"EdDSA\",\"kid\":\"ed-1\"}");
        var input = header + "." + Base64URL.encode(claims().build().toString());
        var signature = Signature.getInstance("Ed25519");
        signature.initSign(pair.getPrivate());
        signature.update(input.getBytes(UTF_8));
        var bytes = signature.sign();

        assertThat(authentication.caller("Bearer " + input + "." + Base64URL.encode(bytes)))
                .isPresent();
        bytes[5] ^= 1;
        assertThat(authentication.caller("Bearer " + input + "." + Base64URL.encode(bytes)))
                .isEmpty();
    }

    @Test
    void a_token_without_signature_or_with_a_shared_secret_proves_nothing() throws Exception {
        var claims = claims().build();
        refused(new PlainJWT(claims).serialize());
        // The public key, known to everybody, taken for a secret.
        var shared = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa-1").build(), claims);
        shared.sign(new MACSigner(RSA.toPublicJWK().toRSAPublicKey().getEncoded()));
        refused(shared.serialize());
        refused(signed(rsa("rsa-1", 2_048), claims));
        refused(signed(RSA, claims).replaceFirst("\\.[^.]+\\.", "." + Base64URL.encode("{\"sub\":\"root\"}") + "."));
        refused("eyJ");
        refused("eyJhbGciOiJub25lIn0.e30.");
    }

    @Test
    void the_key_in_the_token_itself_does_not_count() throws Exception {
        var own = rsa("mine", 2_048);
        var jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .jwk(own.toPublicJWK())
                        .keyID("mine")
                        .build(),
                claims().build());
        jwt.sign(new RSASSASigner(own));

        refused(jwt.serialize());
    }

    @Test
    void a_token_of_another_issuer_for_somebody_else_or_out_of_time_proves_nothing() throws Exception {
        refused(signed(RSA, claims().issuer("https://other.example").build()));
        refused(signed(RSA, claims().audience("other").build()));
        refused(signed(RSA, claims().audience((String) null).build()));
        refused(signed(
                RSA, claims().expirationTime(Date.from(NOW.minusSeconds(31))).build()));
        refused(signed(RSA, claims().expirationTime(null).build()));
        refused(signed(
                RSA, claims().notBeforeTime(Date.from(NOW.plusSeconds(31))).build()));
        refused(signed(RSA, claims().subject(null).build()));
        refused(signed(RSA, claims().subject("two\nlines").build()));
        refused(signed(RSA, claims().subject("local").build()));
        refused(signed(RSA, claims().build(), new JOSEObjectType("logout+jwt")));
        // Clocks may differ a little.
        caller(signed(
                RSA, claims().expirationTime(Date.from(NOW.minusSeconds(29))).build()));
        caller(signed(
                RSA, claims().notBeforeTime(Date.from(NOW.plusSeconds(29))).build()));
    }

    @Test
    void a_stream_ends_when_its_token_does() throws Exception {
        var caller = caller(signed(RSA, claims().build()));
        assertThat(authentication.stillValid(caller)).isTrue();

        clock.advance(Duration.ofMinutes(6));

        assertThat(authentication.stillValid(caller)).isFalse();
    }

    @Test
    void a_new_key_of_the_issuer_is_found_and_unknown_ones_make_no_flood() throws Exception {
        authentication = new JwtAuthentication(settings(Duration.ofMinutes(4)), clock);
        caller(signed(RSA, claims().build()));
        var next = rsa("rsa-2", 2_048);
        published = new JWKSet(List.<JWK>of(RSA, next));

        caller(signed(next, claims().build()));
        var before = asked.get();
        for (int i = 0; i < 50; i++) {
            refused(signed(rsa("unknown", 2_048, RSA), claims().build(), "unknown-" + i));
        }

        assertThat(asked.get() - before).isLessThanOrEqualTo(2);
    }

    @Test
    void while_the_issuer_is_away_known_keys_go_on_to_count() throws Exception {
        caller(signed(RSA, claims().build()));
        issuer.stop(0);

        caller(signed(RSA, claims().build()));
        caller(signed(EC, claims().build()));
    }

    private JwtSettings settings(Duration between) {
        var address = URI.create("http://127.0.0.1:" + issuer.getAddress().getPort() + "/keys");
        return new JwtSettings(
                ISSUER, US, address, Duration.ofSeconds(30), Duration.ofMinutes(5), Duration.ofHours(4), between);
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(US)
                .subject("ann@example.org")
                .expirationTime(Date.from(NOW.plusSeconds(300)));
    }

    private Caller caller(String token) {
        return authentication.caller("Bearer " + token).orElseThrow();
    }

    private void refused(String token) {
        assertThat(authentication.caller("Bearer " + token)).isEmpty();
    }

    private static String signed(JWK key, JWTClaimsSet claims) throws JOSEException {
        return signed(key, claims, JOSEObjectType.JWT, key.getKeyID());
    }

    private static String signed(JWK key, JWTClaimsSet claims, String kid) throws JOSEException {
        return signed(key, claims, JOSEObjectType.JWT, kid);
    }

    private static String signed(JWK key, JWTClaimsSet claims, JOSEObjectType type) throws JOSEException {
        return signed(key, claims, type, key.getKeyID());
    }

    private static String signed(JWK key, JWTClaimsSet claims, JOSEObjectType type, String kid) throws JOSEException {
        JWSSigner signer = key instanceof RSAKey rsa ? new RSASSASigner(rsa) : new ECDSASigner(key.toECKey());
        var algorithm = key instanceof RSAKey ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256;
        var jwt = new SignedJWT(
                new JWSHeader.Builder(algorithm).type(type).keyID(kid).build(), claims);
        jwt.sign(signer);
        return jwt.serialize();
    }

    private static RSAKey rsa(String id, int bits) {
        try {
            return new RSAKeyGenerator(bits).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The same key under another name: making one takes long.
    private static RSAKey rsa(String id, int bits, RSAKey made) {
        return new RSAKey.Builder(made).keyID(id + bits).build();
    }

    private static ECKey ec(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
