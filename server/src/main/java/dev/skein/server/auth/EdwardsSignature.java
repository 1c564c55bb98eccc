package dev.skein.server.auth;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jwt.SignedJWT;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;

/// Ed25519 as the JDK has it; the JWT library would need another one for it.
final class EdwardsSignature {

    /// What stands before the 32 bytes of a public key in its standard form.
    private static final byte[] HEAD = HexFormat.of().parseHex("302a300506032b6570032100");

    private static final int KEY_BYTES = 32;

    private EdwardsSignature() {}

    static boolean verifies(OctetKeyPair pair, SignedJWT jwt) {
        var point = pair.getX().decode();
        if (!Curve.Ed25519.equals(pair.getCurve()) || point.length != KEY_BYTES) {
            return false;
        }
        try {
            var encoded = new byte[HEAD.length + KEY_BYTES];
            System.arraycopy(HEAD, 0, encoded, 0, HEAD.length);
            System.arraycopy(point, 0, encoded, HEAD.length, KEY_BYTES);
            var signature = Signature.getInstance("Ed25519");
            signature.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
            signature.update(jwt.getSigningInput());
            return signature.verify(jwt.getSignature().decode());
        } catch (GeneralSecurityException _) {
            return false;
        }
    }
}
