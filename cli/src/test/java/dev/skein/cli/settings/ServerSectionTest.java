package dev.skein.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.UnsafeSettings;
import dev.skein.server.auth.Door.Lock;
import dev.skein.server.gate.ServerSettings;
import dev.skein.server.limit.Rate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerSectionTest {

    @TempDir
    Path home;

    @Test
    void without_a_file_everything_has_its_default() {
        assertThat(Settings.read(home.resolve("config.yaml")).serverIfSound()).isEqualTo(ServerSettings.STANDARD);
    }

    @Test
    void what_is_set_is_taken() throws IOException {
        var server = read("""
                server:
                  host: 0.0.0.0
                  port: 8080
                  auth: off
                  hosts: [Skein.Example.org, "10.0.0.7:8080"]
                  origins: ["https://app.example.org"]
                  proxies: [10.0.0.5]
                  requests_per_second: 5
                  requests_burst: 9
                  at_once_each: 3
                  at_once: 7
                  body_bytes: 2048
                  request_seconds: 5
                  drain_seconds: 4
                  jwt: {issuer: "https://i.example", audience: skein, jwks: "https://i.example/keys"}
                """).serverIfSound();

        assertThat(server.host()).isEqualTo("0.0.0.0");
        assertThat(server.port()).isEqualTo(8080);
        assertThat(server.lock()).isEqualTo(Lock.OFF);
        assertThat(server.request()).isEqualTo(Duration.ofSeconds(5));
        assertThat(server.drain()).isEqualTo(Duration.ofSeconds(4));
        assertThat(server.jwt().orElseThrow().audience()).isEqualTo("skein");
        var gate = server.gate();
        assertThat(gate.hosts()).containsExactlyInAnyOrder("skein.example.org", "10.0.0.7:8080");
        assertThat(gate.origins()).containsExactly("https://app.example.org");
        assertThat(gate.rate()).isEqualTo(new Rate(5, 9));
        assertThat(gate.atOnceEach()).isEqualTo(3);
        assertThat(gate.atOnce()).isEqualTo(7);
        assertThat(gate.sizes().body()).isEqualTo(2_048);
        assertThat(gate.proxies()).hasSize(1);
    }

    @Test
    void everything_that_is_wrong_is_told_at_once() throws IOException {
        var settings = read("""
                server:
                  host: example.org
                  port: 99999
                  auth: maybe
                  hosts: ["http://x/"]
                  origins: ["*"]
                  proxies: [somewhere]
                  at_once: none
                  colour: red
                  jwt: {issuer: "https://i.example", jwks: "http://i.example/keys"}
                """);

        assertThatThrownBy(settings::serverIfSound)
                .isInstanceOf(UnsafeSettings.class)
                .hasMessageContaining("server.host")
                .hasMessageContaining("server.port")
                .hasMessageContaining("server.auth")
                .hasMessageContaining("server.hosts")
                .hasMessageContaining("server.origins")
                .hasMessageContaining("server.proxies")
                .hasMessageContaining("server.at_once")
                .hasMessageContaining("server.colour")
                .hasMessageContaining("server.jwt.audience")
                .hasMessageContaining("server.jwt.jwks");
    }

    private Settings read(String text) throws IOException {
        return Settings.read(Files.writeString(home.resolve("config.yaml"), text));
    }
}
