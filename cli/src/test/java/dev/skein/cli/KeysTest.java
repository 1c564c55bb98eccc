package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.server.auth.Grant;
import dev.skein.server.auth.KeyFile;
import dev.skein.server.auth.StaticKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysTest {

    @TempDir
    Path home;

    private Cli cli;

    @BeforeEach
    void start() {
        cli = new Cli(home);
    }

    @Test
    void a_key_that_was_made_lets_its_subject_in_until_it_is_revoked() {
        var made = cli.run("keys", "create", "--subject", "ci", "--scopes", "read:sessions,run:agents", "--json")
                .json();
        var key = made.get("key").asString();

        var caller = door().caller("Bearer " + key).orElseThrow();
        assertThat(caller.subject()).isEqualTo("ci");
        assertThat(caller.grants()).containsExactlyInAnyOrder(Grant.READ_SESSIONS, Grant.RUN_AGENTS);
        assertThat(made.get("subject").asString()).isEqualTo("ci");

        var revoked = cli.run("keys", "revoke", made.get("id").asString());
        assertThat(revoked.code()).isZero();
        assertThat(revoked.out()).contains("revoked key " + made.get("id").asString() + " of 'ci'");
        assertThat(door().caller("Bearer " + key)).isEmpty();
    }

    @Test
    void the_secret_is_shown_once_and_kept_nowhere() throws Exception {
        var made = cli.run("keys", "create", "--subject", "ci");
        var key = made.out().strip();
        var secret = key.substring(key.lastIndexOf('_') + 1);

        var file = home.resolve("keys.yaml");
        assertThat(Files.readString(file)).contains("subject:").doesNotContain(secret);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(cli.run("keys", "list").out()).contains("ci").doesNotContain(secret);
        var listed = cli.run("keys", "list", "--json").json().get("keys").get(0);
        assertThat(listed.propertyNames()).containsExactlyInAnyOrder("id", "subject", "scopes", "created");
        assertThat(listed.get("scopes").toString()).doesNotContain("admin:");
    }

    @Test
    void what_makes_no_sense_is_told_with_what_there_is() {
        assertThat(cli.run("keys", "create", "--subject", "x", "--scopes", "everything")
                        .err())
                .contains("there is no scope 'everything'")
                .contains("read:sessions");
        assertThat(cli.run("keys", "create", "--subject", " ").code()).isEqualTo(2);
        assertThat(cli.run("keys", "create").code()).isEqualTo(2);
        assertThat(cli.run("keys", "revoke", "nothing").err()).contains("skein keys list");
        assertThat(cli.run("keys").code()).isEqualTo(2);
        assertThat(cli.run("keys", "list").out()).contains("no keys yet");
    }

    @Test
    void keys_that_others_can_read_are_refused() throws Exception {
        cli.run("keys", "create", "--subject", "ci");
        Files.setPosixFilePermissions(home.resolve("keys.yaml"), PosixFilePermissions.fromString("rw-r--r--"));

        var listed = cli.run("keys", "list");

        assertThat(listed.code()).isEqualTo(2);
        assertThat(listed.err()).contains("others may use it").contains("chmod 600");
    }

    private StaticKeys door() {
        return new StaticKeys(new KeyFile(home.resolve("keys.yaml")), System::nanoTime);
    }
}
