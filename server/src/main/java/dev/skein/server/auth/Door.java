package dev.skein.server.auth;

import dev.skein.failure.UnsafeSettings;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Optional;

/// Puts together who gets in, and refuses what would leave the door open.
public final class Door {

    private Door() {}

    /// Whether somebody has to prove who they are.
    public enum Lock {
        ON,
        /// Nobody has to. Only on a loopback address, and only if somebody said so.
        OFF
    }

    /// Where the secrets of a home are.
    public record Places(Path localToken, Path keys) {

        public static Places in(Path home) {
            return new Places(home.resolve("server.token"), home.resolve("keys.yaml"));
        }
    }

    /// The local token counts on loopback addresses; keys and tokens of others everywhere.
    ///
    /// @throws UnsafeSettings if anybody could get in, or nobody beyond this machine
    public static Authentication open(
            InetAddress bind, Lock lock, Places places, Optional<JwtAuthentication> jwt, SecureRandom random) {
        var beyond = !bind.isLoopbackAddress();
        if (lock == Lock.OFF) {
            if (beyond) {
                throw UnsafeSettings.open("authentication is off and the address " + bind.getHostAddress()
                        + " can be reached from other machines; bind 127.0.0.1, or remove 'auth: off'");
            }
            return new NoAuthentication();
        }
        var keys = new StaticKeys(new KeyFile(places.keys()), System::nanoTime);
        if (beyond && keys.isEmpty() && jwt.isEmpty()) {
            throw UnsafeSettings.open(
                    "the address " + bind.getHostAddress() + " can be reached from other machines and "
                            + "no key is configured; make one with 'skein keys create --subject NAME', "
                            + "or set 'server.jwt'");
        }
        var ways = new ArrayList<Authentication>();
        ways.add(LocalToken.open(places.localToken(), random));
        ways.add(keys);
        jwt.ifPresent(ways::add);
        return new Authentications(ways);
    }
}
