package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skein.cli.settings.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// What is in `deploy` can be read, and agrees with the program.
class DeployTest {

    private static final Path DEPLOY = Path.of("..").resolve("deploy");
    private static final YAMLMapper YAML = new YAMLMapper();

    @TempDir
    Path home;

    @Test
    void the_manifests_can_be_read_and_drain_longer_than_the_server() throws IOException {
        var things = documents(DEPLOY.resolve("kubernetes/skein.yaml"));
        assertThat(things)
                .extracting(thing -> thing.get("kind").asString())
                .containsExactly("ConfigMap", "PersistentVolumeClaim", "Deployment", "Service");
        var pod = things.get(2).at("/spec/template/spec");
        var config = Files.writeString(
                home.resolve("config.yaml"),
                things.get(0).at("/data/config.yaml").asString());
        var server = Settings.read(config).serverIfSound();

        assertThat(pod.get("terminationGracePeriodSeconds").asInt())
                .isGreaterThan((int) server.drain().toSeconds());
        var container = pod.at("/containers/0");
        assertThat(container.at("/livenessProbe/httpGet/path").asString()).isEqualTo("/healthz/live");
        assertThat(container.at("/readinessProbe/httpGet/path").asString()).isEqualTo("/healthz/ready");
        assertThat(container.at("/ports/0/containerPort").asInt()).isEqualTo(server.port());
        assertThat(documents(DEPLOY.resolve("kubernetes/network.yaml"))).hasSize(1);
    }

    @Test
    void the_compose_file_can_be_read_and_holds_no_password() throws IOException {
        var compose = documents(DEPLOY.resolve("compose.yaml")).getFirst();

        assertThat(compose.get("services").propertyNames()).containsExactlyInAnyOrder("skein", "database");
        assertThat(compose.at("/services/skein/ports/0").asString()).startsWith("127.0.0.1:");
        assertThat(compose.at("/services/database/environment/POSTGRES_PASSWORD")
                        .asString())
                .startsWith("${");
    }

    @Test
    void the_unit_stops_later_than_the_server_drains() throws IOException {
        var unit = Files.readAllLines(DEPLOY.resolve("skein.service"));

        assertThat(unit).contains("NoNewPrivileges=yes", "ProtectSystem=strict", "UMask=0077", "TimeoutStopSec=45");
        assertThat(unit).allMatch(line -> line.isEmpty() || line.matches("[#\\[].*|[A-Za-z]+=.*"));
    }

    @Test
    void systemd_finds_nothing_wrong_with_the_unit() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/systemd-analyze")), "systemd is not installed here");
        var unit = Files.readString(DEPLOY.resolve("skein.service")).replace("/opt/skein/bin/skein", "/bin/true");
        var file = Files.writeString(home.resolve("skein.service"), unit);
        var process = new ProcessBuilder("/usr/bin/systemd-analyze", "verify", file.toString())
                .redirectErrorStream(true)
                .start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(process.waitFor()).isZero();
    }

    private static List<JsonNode> documents(Path file) throws IOException {
        var found = new ArrayList<JsonNode>();
        try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(Files.readString(file))) {
            while (documents.hasNextValue()) {
                found.add(documents.nextValue());
            }
        }
        return found;
    }
}
