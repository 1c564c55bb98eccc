package dev.skein.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.InvalidRequest;
import dev.skein.failure.UnsafeSettings;
import dev.skein.server.auth.Door.Lock;
import dev.skein.server.auth.Door.Places;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoorTest {

    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress EVERYWHERE = InetAddress.ofLiteral("0.0.0.0");

    @TempDir
    Path home;

    @Test
    void attack_2_without_a_key_no_server_beyond_this_machine_starts() {
        assertThatThrownBy(() -> open(EVERYWHERE, Lock.ON))
                .isInstanceOf(UnsafeSettings.class)
                .hasMessageContaining("0.0.0.0")
                .hasMessageContaining("skein keys create");

        var key = newKey("ci");
        assertThat(open(EVERYWHERE, Lock.ON).caller("Bearer " + key)).isPresent();

        keys().revoke(key.split("_")[1], Clock.systemUTC());
        assertThatThrownBy(() -> open(EVERYWHERE, Lock.ON)).isInstanceOf(UnsafeSettings.class);
    }

    @Test
    void authentication_is_off_only_on_loopback() {
        assertThat(open(LOOPBACK, Lock.OFF).caller(null).orElseThrow().subject())
                .isEqualTo("local");
        newKey("ci");
        assertThatThrownBy(() -> open(EVERYWHERE, Lock.OFF))
                .isInstanceOf(UnsafeSettings.class)
                .hasMessageContaining("authentication is off");
    }

    @Test
    void the_first_start_makes_a_token_for_its_owner_only_and_the_next_uses_it() throws Exception {
        var file = home.resolve("server.token");
        assertThat(LocalToken.find(file)).isEmpty();
        var first = open(LOOPBACK, Lock.ON);
        var token = LocalToken.find(file).orElseThrow();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(token).matches("skein_local_[A-Za-z0-9_-]{43}");
        for (var door : List.of(first, open(LOOPBACK, Lock.ON))) {
            var caller = door.caller("Bearer " + token).orElseThrow();
            assertThat(caller.subject()).isEqualTo("local");
            assertThat(caller.grants()).containsExactlyInAnyOrder(Grant.values());
            assertThat(door.caller("Bearer " + token + "x")).isEmpty();
            assertThat(door.caller(null)).isEmpty();
            assertThat(door.caller("")).isEmpty();
        }
    }

    @Test
    void two_who_start_at_once_share_one_token() throws Exception {
        var barrier = new CyclicBarrier(8);
        var doors = new ArrayList<Future<Authentication>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                doors.add(threads.submit(() -> {
                    barrier.await(60, TimeUnit.SECONDS);
                    return open(LOOPBACK, Lock.ON);
                }));
            }
        }
        var token = LocalToken.find(home.resolve("server.token")).orElseThrow();

        for (var door : doors) {
            assertThat(door.get().caller("Bearer " + token)).isPresent();
        }
        try (var files = Files.list(home)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("server.token");
        }
    }

    @Test
    void a_token_that_others_can_read_or_that_is_none_is_refused() throws Exception {
        open(LOOPBACK, Lock.ON);
        var file = home.resolve("server.token");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> open(LOOPBACK, Lock.ON)).hasMessageContaining("others may use it");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, "");
        assertThatThrownBy(() -> open(LOOPBACK, Lock.ON)).hasMessageContaining("holds no token");
        Files.delete(file);
        Files.createSymbolicLink(file, home.resolve("elsewhere"));
        assertThatThrownBy(() -> open(LOOPBACK, Lock.ON)).isInstanceOf(UnsafeSettings.class);
    }

    @Test
    void a_broken_file_of_keys_lets_nobody_in_and_quotes_nothing() throws Exception {
        var nanos = new AtomicLong();
        var key = newKey("ci");
        var keys = new StaticKeys(keys(), nanos::get);
        var caller = keys.caller("Bearer " + key).orElseThrow();

        Files.writeString(home.resolve("keys.yaml"), "keys: [ {id: s3cret-thing");
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(250));

        assertThat(keys.caller("Bearer " + key)).isEmpty();
        assertThat(keys.stillValid(caller)).isFalse();
        assertThatThrownBy(() -> keys().keys())
                .isInstanceOf(UnsafeSettings.class)
                .hasMessageNotContaining("s3cret-thing");
        Files.writeString(home.resolve("keys.yaml"), "other: 1");
        assertThatThrownBy(() -> keys().keys()).isInstanceOf(UnsafeSettings.class);
    }

    @Test
    void the_file_is_looked_at_again_after_a_quarter_of_a_second() {
        var nanos = new AtomicLong();
        var key = newKey("ci");
        var keys = new StaticKeys(keys(), nanos::get);
        keys().revoke(key.split("_")[1], Clock.systemUTC());

        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(250));

        assertThat(keys.caller("Bearer " + key)).isEmpty();
        assertThat(keys.isEmpty()).isTrue();
    }

    @Test
    void keys_made_at_once_are_all_there() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                var name = "caller-" + i;
                threads.execute(() -> newKey(name));
            }
        }

        assertThat(keys().keys()).extracting(StoredKey::subject).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void the_same_secret_has_another_hash_in_every_key_and_one_key_does_not_open_another() {
        var one = newKey("ann");
        var two = newKey("ann");
        var mixed = one.substring(0, one.lastIndexOf('_')) + two.substring(two.lastIndexOf('_'));
        var keys = new StaticKeys(keys(), System::nanoTime);

        assertThat(keys.caller("Bearer " + one)).isPresent();
        assertThat(keys.caller("Bearer " + mixed)).isEmpty();
        assertThat(keys().keys()).extracting(StoredKey::salt).doesNotHaveDuplicates();
    }

    @Test
    void a_subject_that_cannot_own_sessions_is_nobody() {
        assertThatThrownBy(() -> new Caller("", Set.of())).isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> new Caller("a\nb", Set.of())).isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> newKey("x".repeat(201))).isInstanceOf(InvalidRequest.class);
    }

    private Authentication open(InetAddress bind, Lock lock) {
        return Door.open(bind, lock, Places.in(home), Optional.empty(), new SecureRandom());
    }

    private KeyFile keys() {
        return new KeyFile(home.resolve("keys.yaml"));
    }

    private String newKey(String subject) {
        return keys().create(subject, List.of("read:sessions"), Clock.systemUTC(), new SecureRandom())
                .key();
    }
}
