package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cli.secret.Vault;
import dev.skein.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VaultTest {

    private static final String VALUE = "gloves and a lantern";

    @TempDir
    Path home;

    private Cli cli;

    @BeforeEach
    void start() {
        cli = new Cli(home);
    }

    @Test
    void a_secret_is_kept_told_changed_listed_and_forgotten() {
        assertThat(add("DOOR_TOKEN", VALUE + "\n").out()).contains("kept 'DOOR_TOKEN'", "{{DOOR_TOKEN}}");
        assertThat(cli.run("vault", "get", "DOOR_TOKEN").out()).isEqualTo(VALUE + "\n");

        cli.typed = "a ladder, a rope";
        assertThat(cli.run("vault", "update", "DOOR_TOKEN").code()).isZero();
        assertThat(cli.run("vault", "get", "DOOR_TOKEN").out()).isEqualTo("a ladder, a rope\n");
        var listed = cli.run("vault", "list", "--json");
        assertThat(listed.json().at("/secrets/0/name").asString("")).isEqualTo("DOOR_TOKEN");
        assertThat(listed.out()).doesNotContain("ladder");
        assertThat(cli.run("vault", "list").out()).contains("DOOR_TOKEN", "just now");

        assertThat(cli.run("vault", "delete", "DOOR_TOKEN").code()).isEqualTo(2);
        assertThat(cli.run("vault", "delete", "DOOR_TOKEN", "--yes").code()).isZero();
        assertThat(cli.run("vault", "get", "DOOR_TOKEN").code()).isEqualTo(3);
        assertThat(cli.run("vault", "list").out()).contains("no secrets yet");
    }

    @Test
    void what_is_on_the_disk_is_for_its_owner_only_and_says_nothing() throws IOException {
        add("DOOR_TOKEN", VALUE);
        for (var name : new String[] {"vault.yaml", "vault.key"}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(name))))
                    .isEqualTo("rw-------");
            assertThat(Files.readString(home.resolve(name))).doesNotContain("lantern");
        }
    }

    @Test
    void a_value_is_typed_unseen_or_piped_in_and_never_an_argument() {
        assertThat(cli.run("vault", "add", "DOOR_TOKEN", VALUE).code()).isEqualTo(2);
        cli.typing(VALUE);
        assertThat(cli.run("vault", "add", "DOOR_TOKEN").err()).contains("value of DOOR_TOKEN: ");
        assertThat(new Vault(home, Map.of(), Clock.systemUTC()).get("DOOR_TOKEN"))
                .isEqualTo(VALUE);
    }

    @Test
    void bad_names_and_values_are_refused_and_change_nothing() {
        assertThat(add("DOOR TOKEN", VALUE).err()).contains("'DOOR TOKEN' is none");
        assertThat(add("1", VALUE).code()).isEqualTo(2);
        assertThat(add("SHORT", "ab").err()).contains("6 characters or more");
        assertThat(add("NONE", "\n").err()).contains("no value for 'NONE'");
        assertThat(add("LONG", "x".repeat(70_000)).err()).contains("at most");
        assertThat(home.resolve("vault.yaml")).doesNotExist();
        add("TWICE", VALUE);
        assertThat(add("TWICE", "another value").code()).isEqualTo(4);
        assertThat(cli.run("vault", "get", "TWICE").out()).contains(VALUE);
        assertThat(cli.run("vault", "update", "NOWHERE").code()).isEqualTo(3);
    }

    @Test
    void a_wrong_or_missing_key_is_told_in_a_sentence_and_nothing_is_lost() throws IOException {
        add("DOOR_TOKEN", VALUE);
        var file = Files.readString(home.resolve("vault.yaml"));
        var key = Files.readString(home.resolve("vault.key"));

        for (var wrong : new String[] {key.substring(0, 20) + "AAAA" + key.substring(24), "a passphrase of mine"}) {
            cli.env.put("SKEIN_VAULT_KEY", wrong);
            assertThat(cli.run("vault", "get", "DOOR_TOKEN").code()).isEqualTo(8);
            assertThat(add("MORE", VALUE).err())
                    .contains("the key in SKEIN_VAULT_KEY is not the one")
                    .doesNotContain(wrong.strip())
                    .doesNotContain("\tat ");
            assertThat(cli.run("vault", "delete", "DOOR_TOKEN", "--yes").code()).isEqualTo(8);
        }
        cli.env.remove("SKEIN_VAULT_KEY");
        Files.delete(home.resolve("vault.key"));
        assertThat(add("MORE", VALUE).err()).contains("there is none in SKEIN_VAULT_KEY or");
        assertThat(home.resolve("vault.key")).doesNotExist();
        assertThat(cli.run("vault", "list").out()).contains("DOOR_TOKEN");
        assertThat(Files.readString(home.resolve("vault.yaml"))).isEqualTo(file);

        var spare = Files.writeString(home.resolve("spare"), key);
        cli.env.put("SKEIN_VAULT_KEY_FILE", spare.toString());
        Files.setPosixFilePermissions(spare, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(cli.run("vault", "get", "DOOR_TOKEN").err()).contains("others may use it");
        Files.setPosixFilePermissions(spare, PosixFilePermissions.fromString("rw-------"));
        assertThat(cli.run("vault", "get", "DOOR_TOKEN").out()).contains(VALUE);
    }

    @Test
    void a_passphrase_opens_what_it_closed() {
        cli.env.put("SKEIN_VAULT_KEY", "correct horse battery");
        add("DOOR_TOKEN", VALUE);
        assertThat(cli.run("vault", "get", "DOOR_TOKEN").out()).contains(VALUE);
        assertThat(home.resolve("vault.key")).doesNotExist();
        cli.env.put("SKEIN_VAULT_KEY", "short");
        assertThat(cli.run("vault", "get", "DOOR_TOKEN").err()).contains("too short");
    }

    @Test
    void a_file_that_somebody_changed_is_refused_and_left_alone() throws IOException {
        add("A_TOKEN", VALUE);
        add("B_TOKEN", "another value");
        var file = home.resolve("vault.yaml");
        var sound = Files.readString(file);
        var boxes = sound.lines().filter(line -> line.contains("text:")).toList();
        var changed = new String[] {
            sound.replace("A_TOKEN", "C_TOKEN"),
            sound.replaceFirst("(?s)  B_TOKEN:.*", ""),
            sound.replace(boxes.get(0), "#").replace(boxes.get(1), boxes.get(0)).replace("#", boxes.get(1)),
            sound.replaceFirst("nonce: \"?.", "nonce: \"_"),
            sound.replace("iterations: 0", "iterations: 99999999"),
            sound.replace("version: 1", "version: 2"),
            sound.substring(0, sound.length() / 2),
            "secrets: [",
            "",
            "secrets: {}",
        };
        for (var text : changed) {
            Files.writeString(file, text);
            var got = cli.run("vault", "get", "A_TOKEN");
            assertThat(got.code()).as(text + got.err()).isEqualTo(7);
            assertThat(got.err()).contains("was changed by something else").doesNotContain("\tat ");
            assertThat(add("D_TOKEN", VALUE).code()).isEqualTo(7);
            assertThat(Files.readString(file)).isEqualTo(text);
        }
        Files.writeString(file, sound);
        assertThat(cli.run("vault", "get", "B_TOKEN").out()).contains("another value");
    }

    /// Adds secrets with a number in their names, one after the other.
    static final class Adding {
        static void main(String[] args) {
            var vault = new Vault(Path.of(args[0]), Map.of(), Clock.systemUTC());
            for (int i = 0; i < 20; i++) {
                vault.add(args[1] + i, "value " + args[1] + i);
            }
        }
    }

    @Test
    void two_processes_that_begin_at_once_lose_nothing_of_each_other() throws Exception {
        try (var one = ChildJvm.start(Adding.class, home, "ONE");
                var two = ChildJvm.start(Adding.class, home, "TWO")) {
            assertThat(one.await()).isZero();
            assertThat(two.await()).isZero();
        }
        var vault = new Vault(home, Map.of(), Clock.systemUTC());
        assertThat(vault.list()).hasSize(40);
        IntStream.range(0, 20).forEach(i -> {
            assertThat(vault.get("ONE" + i)).isEqualTo("value ONE" + i);
            assertThat(vault.get("TWO" + i)).isEqualTo("value TWO" + i);
        });
    }

    @Test
    void settings_name_secrets_and_say_where_one_is_missing() throws IOException {
        add("LAB_HOST", "lab.example.org");
        add("LAB_API_KEY", "a key of forty plums");
        Files.writeString(home.resolve("config.yaml"), """
                providers:
                  lab: {base_url: "http://{{LAB_HOST}}/v1", key_env: LAB_API_KEY}
                  other: {base_url: "http://{{NO_SUCH}}/v1"}
                """);
        var models = cli.run("models");
        assertThat(models.err())
                .contains("line 3", "there is no secret 'NO_SUCH'")
                .doesNotContain("line 2");

        Files.writeString(home.resolve("config.yaml"), "store: \"sqlite:{{NO_SUCH}}\"\n");
        assertThat(cli.run("session", "list").err()).contains("there is no secret 'NO_SUCH'");
        add("PLACE", home.resolve("sessions.db").toString());
        Files.writeString(home.resolve("config.yaml"), "store: \"sqlite:{{ PLACE }}\"\n");
        assertThat(cli.run("session", "list").code()).isZero();
        assertThat(home.resolve("sessions.db")).exists();
    }

    @Test
    void without_its_key_a_vault_hinders_nothing_that_does_not_need_it() throws IOException {
        add("DOOR_TOKEN", VALUE);
        Files.delete(home.resolve("vault.key"));
        var ran = cli.run("Name a fruit");
        assertThat(ran.code()).isZero();
        assertThat(ran.err()).contains("warning:", "cannot be opened without its key");
    }

    private Cli.Ran add(String name, String value) {
        cli.typed = value;
        return cli.run("vault", "add", name);
    }
}
