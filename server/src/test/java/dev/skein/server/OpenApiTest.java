package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.live.LiveEvent;
import dev.skein.server.route.Route;
import java.util.Arrays;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OpenApiTest {

    @Test
    void describes_every_route_and_no_other() {
        var described = new TreeSet<String>();
        Described.DOCUMENT
                .path("paths")
                .forEachEntry((path, operations) -> operations.forEachEntry(
                        (method, _) -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));

        assertThat(described)
                .isEqualTo(Arrays.stream(Route.values())
                        .map(route -> route.method() + " " + route.path())
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void says_what_a_caller_needs() {
        for (var route : Route.values()) {
            var operation = Described.DOCUMENT
                    .path("paths")
                    .path(route.path())
                    .path(route.method().toLowerCase(Locale.ROOT));
            assertThat(operation.has("security")).as(route.toString()).isEqualTo(route.access() == Route.Access.OPEN);
            route.grant()
                    .ifPresent(grant -> assertThat(operation.path("description").asString())
                            .as(route.toString())
                            .contains("Needs " + grant.wire()));
        }
    }

    @Test
    void describes_every_event_and_no_other() {
        var described = new TreeSet<String>();
        Described.DOCUMENT
                .at("/components/schemas/EventData/properties")
                .forEachEntry((name, _) -> described.add(name));

        assertThat(described).hasSize(LiveEvent.Body.class.getPermittedSubclasses().length);
    }

    @Test
    void every_reference_leads_somewhere() {
        Described.DOCUMENT
                .findValuesAsString("$ref")
                .forEach(reference -> assertThat(
                                Described.DOCUMENT.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
    }

    @Test
    void is_served() {
        try (var server = new TestServer()) {
            var answer = server.client("ann").get("/openapi.yaml").is(200);

            assertThat(answer.header("Content-Type")).isEqualTo("application/yaml");
            assertThat(answer.body()).startsWith("openapi: 3.1.0");
        }
    }
}
