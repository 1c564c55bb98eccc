package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionRoutesTest {

    private TestServer server;
    private Client ann;

    @BeforeEach
    void start() {
        server = new TestServer();
        ann = server.client("ann");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_session_lives_from_its_making_to_its_deletion() {
        var made = ann.post("/v1/sessions", "{\"alias\":\"trip\",\"description\":\"To Rome\"}")
                .is(201);
        var id = made.text("id");
        say(id, "Hello");

        var listed = ann.get("/v1/sessions").is(200).json().path("sessions");
        assertThat(listed).hasSize(1);
        assertThat(listed.get(0).path("id").asString()).isEqualTo(id);
        assertThat(ann.get("/v1/sessions/trip").is(200).json()).isEqualTo(listed.get(0));
        assertThat(ann.get("/v1/sessions/" + id).is(200).text("description")).isEqualTo("To Rome");

        ann.send("DELETE", "/v1/sessions/trip", null).is(204);
        assertThat(ann.get("/v1/sessions/" + id).is(404).code()).isEqualTo("session.not_found");
        ann.get("/v1/sessions/trip").is(404);
        ann.send("DELETE", "/v1/sessions/" + id, null).is(404);
        assertThat(ann.get("/v1/sessions").json().path("sessions")).isEmpty();
    }

    @Test
    void what_a_body_claims_about_owner_and_place_counts_for_nothing() {
        var made = ann.post(
                        "/v1/sessions", "{\"owner\":\"bob\",\"tenant\":\"bob\",\"seq\":99,\"epoch\":7,\"id\":\"x\"}")
                .is(201);

        assertThat(made.text("owner")).isEqualTo("ann");
        assertThat(server.client("bob").get("/v1/sessions").json().path("sessions"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"skein", "channel"})
    void metadata_cannot_speak_in_our_name(String name) {
        var wish = "{\"metadata\":{\"mine\":1,\"" + name + "\":{\"request_digest\":\"forged\"}}}";
        var id = ann.create("{\"metadata\":{\"rag\":1,\"mine\":2}}");

        for (var path : List.of("/v1/sessions", "/v1/sessions/" + id + "/fork")) {
            var refused = ann.post(path, wish).is(400);
            assertThat(refused.code()).isEqualTo("request.invalid");
            assertThat(refused.body()).contains("field 'metadata' has '" + name + "'", "'my_" + name + "'");
        }
        assertThat(ann.get("/v1/sessions").json().path("sessions")).hasSize(1);
    }

    @Test
    void a_session_is_changed_field_by_field() {
        var id = ann.create("{\"alias\":\"a\",\"model\":\"talking:small\"}");

        var changed = ann.send(
                        "PATCH",
                        "/v1/sessions/a",
                        "{\"alias\":\"b\",\"description\":\"new\",\"model\":\"talking:big\",\"temperature\":0.5}")
                .is(200);

        assertThat(changed.text("alias")).isEqualTo("b");
        assertThat(changed.text("description")).isEqualTo("new");
        assertThat(changed.text("model")).isEqualTo("big");
        ann.get("/v1/sessions/a").is(404);
        var bare = ann.send("PATCH", "/v1/sessions/" + id, "{\"alias\":null,\"model\":null}")
                .is(200);
        assertThat(bare.json().has("alias")).isFalse();
        assertThat(bare.json().has("model")).isFalse();
        assertThat(bare.text("description")).isEqualTo("new");
    }

    @Test
    void names_are_unique_for_one_owner() {
        ann.create("{\"alias\":\"a\"}");

        assertThat(ann.post("/v1/sessions", "{\"alias\":\"A\"}").is(409).code()).isEqualTo("session.alias_in_use");
        server.client("bob").create("{\"alias\":\"a\"}");
        assertThat(ann.post("/v1/sessions", "{\"alias\":\"../x\"}").is(400).code())
                .isEqualTo("session.invalid_alias");
    }

    @Test
    void a_model_or_tool_that_is_not_there_is_refused_at_once() {
        ann.post("/v1/sessions", "{\"model\":\"nobody:x\"}").is(400);
        ann.post("/v1/sessions", "{\"model\":\"nocolon\"}").is(400);
        ann.post("/v1/sessions", "{\"tools\":[\"nothing\"]}").is(400);
        ann.post("/v1/sessions", "{\"role\":\"poet\"}").is(400);
        assertThat(ann.get("/v1/sessions").json().path("sessions")).isEmpty();
    }

    @Test
    void messages_loops_tree_and_usage_tell_the_same_story() {
        var id = ann.create("{}");
        say(id, "one");
        say(id, "look 2");

        var messages =
                ann.get("/v1/sessions/" + id + "/messages").is(200).json().path("messages");
        assertThat(messages).hasSize(6);
        var page = ann.get("/v1/sessions/" + id + "/messages?limit=4").is(200);
        assertThat(page.json().path("messages")).hasSize(4);
        var rest = ann.get("/v1/sessions/" + id + "/messages?limit=4&cursor=" + page.text("next_cursor"))
                .is(200);
        assertThat(rest.json().path("messages")).hasSize(2);
        assertThat(rest.json().has("next_cursor")).isFalse();

        var tree = ann.get("/v1/sessions/" + id + "/tree").is(200).json();
        var loops = ann.get("/v1/sessions/" + id + "/loops").is(200).json().path("loops");
        assertThat(loops).hasSize(2).isEqualTo(tree.path("loops"));
        assertThat(tree.path("head")).isEqualTo(loops.get(1).path("id"));
        assertThat(loops.get(1).path("parent")).isEqualTo(loops.get(0).path("id"));

        var spent = ann.get("/v1/sessions/" + id + "/usage").is(200).json();
        assertThat(spent.path("turn_count").asInt()).isEqualTo(3);
        assertThat(spent.path("usage").path("input_tokens").asInt()).isEqualTo(30);
    }

    @Test
    void undo_empty_and_fork_keep_what_was_said() {
        var id = ann.create("{\"alias\":\"a\"}");
        say(id, "one");
        say(id, "two");

        ann.post("/v1/sessions/a/undo", "").is(200);
        assertThat(ann.get("/v1/sessions/a/messages").json().path("messages")).hasSize(2);
        var fork = ann.post("/v1/sessions/a/fork", "{\"alias\":\"b\"}").is(201);
        assertThat(fork.json().path("fork").path("session").asString()).isEqualTo(id);
        ann.post("/v1/sessions/a/empty", null).is(200);
        assertThat(ann.get("/v1/sessions/a/messages").json().path("messages")).isEmpty();
        assertThat(ann.get("/v1/sessions/b/messages").json().path("messages")).hasSize(2);
        assertThat(ann.get("/v1/sessions/a/loops").json().path("loops")).hasSize(2);
        assertThat(ann.post("/v1/sessions/a/fork", "{\"at\":99999}").is(400).code())
                .isEqualTo("request.invalid");
    }

    @Test
    void words_are_found_and_lists_are_filtered() {
        var id = ann.create("{\"alias\":\"apples\"}");
        ann.create("{\"alias\":\"pears\"}");
        say(id, "red fruit");

        var hits = ann.get("/v1/search?q=RED%20fruit").is(200).json().path("hits");
        assertThat(hits).hasSize(2);
        assertThat(hits.get(0).path("session").asString()).isEqualTo(id);
        assertThat(ann.get("/v1/sessions?alias=pear").json().path("sessions")).hasSize(1);
        var first = ann.get("/v1/sessions?limit=1").is(200);
        assertThat(first.json().path("sessions")).hasSize(1);
        var second = ann.get("/v1/sessions?limit=1&cursor=" + first.text("next_cursor"))
                .is(200);
        assertThat(second.json().path("sessions"))
                .hasSize(1)
                .isNotEqualTo(first.json().path("sessions"));
        ann.get("/v1/search").is(400);
        ann.get("/v1/sessions?limit=lots").is(400);
    }

    @Test
    void an_admin_reads_other_owners_sessions_and_changes_none() {
        var id = ann.create("{\"alias\":\"a\"}");
        say(id, "secret");
        var admin = server.client("admin");

        admin.get("/v1/sessions/" + id + "?owner=ann").is(200);
        assertThat(admin.get("/v1/sessions?owner=ann").json().path("sessions")).hasSize(1);
        assertThat(admin.get("/v1/sessions/a/messages?owner=ann").json().path("messages"))
                .hasSize(2);
        admin.send("DELETE", "/v1/sessions/" + id + "?owner=ann", null).is(404);
        admin.post("/v1/sessions/" + id + "/undo?owner=ann", "{}").is(404);
        var bob = server.client("bob");
        bob.get("/v1/sessions/" + id + "?owner=ann").is(404);
        assertThat(bob.get("/v1/sessions?owner=ann").is(403).code()).isEqualTo("auth.forbidden");
        bob.get("/v1/search?q=secret&owner=ann").is(403);
    }

    @Test
    void info_tools_export_and_health_answer() {
        var id = ann.create("{}");

        assertThat(ann.get("/v1/info").is(200).text("subject")).isEqualTo("ann");
        assertThat(ann.get("/v1/tools").is(200).json().path("tools")).hasSize(2);
        assertThat(ann.get("/v1/sessions/" + id + "/export").is(200).text("id")).isEqualTo(id);
        ann.get("/v1/sessions/" + id + "/export?format=doc").is(400);
        var nobody = server.client(null);
        nobody.get("/healthz/live").is(200);
        nobody.get("/healthz/ready").is(200);
    }

    private void say(String id, String prompt) {
        ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"" + prompt + "\"}")
                .is(200);
    }
}
