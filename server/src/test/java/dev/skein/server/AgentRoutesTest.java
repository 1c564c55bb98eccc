package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.model.ModelRequest;
import dev.skein.tool.ToolSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AgentRoutesTest {

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
    void agents_are_listed_and_one_that_cannot_be_read_hides_no_other() {
        var agents = ann.get("/v1/agents").is(200).json().path("agents");

        assertThat(agents.valueStream().map(agent -> agent.path("name").asString()))
                .containsExactly("broken", "plain", "scout");
        assertThat(agents.get(0).path("description").asString()).isEqualTo("cannot be read");
        assertThat(agents.get(2).at("/variables/0/name").asString()).isEqualTo("place");
        assertThat(ann.get("/v1/models")
                        .is(200)
                        .json()
                        .path("data")
                        .valueStream()
                        .map(model -> model.path("id").asString()))
                .contains("agent:scout", "agent:plain");
    }

    @Test
    void a_session_made_with_an_agent_lives_with_it_and_knows_what_it_was_told() {
        var made = ann.post(
                        "/v1/sessions",
                        "{\"alias\":\"trip\",\"agent\":\"scout\",\"agent_variables\":{\"place\":\"Rome\"}}")
                .is(201);

        assertThat(made.text("agent")).isEqualTo("scout");
        ann.get("/v1/sessions/trip").is(404);
        ann.get("/v1/sessions/trip?agent=scout").is(200);
        ann.post("/v1/sessions/" + made.text("id") + "/completions", "{\"prompt\":\"say hi\"}")
                .is(200);
        assertThat(last().system()).isEqualTo("You know Rome.");
        assertThat(last().tools().stream().map(ToolSpec::name)).containsExactly("look");
    }

    @Test
    void what_an_agent_has_to_know_is_asked_for() {
        var refused = ann.post("/v1/sessions", "{\"agent\":\"scout\"}").is(400);

        assertThat(refused.body()).contains("the agent 'scout' needs to know 'place' (Which place?)");
        assertThat(ann.post("/v1/sessions", "{\"agent\":\"spy\"}").is(400).body())
                .contains("there is no agent 'spy'");
        assertThat(ann.post("/v1/sessions", "{\"agent\":\"scout\",\"agent_variables\":{\"place\":7}}")
                        .is(400)
                        .body())
                .contains("agent_variables.place");
    }

    @Test
    void an_agent_answers_in_a_session_from_when_it_is_asked_to_until_it_is_not() {
        var id = ann.create("{}");
        ann.post("/v1/sessions/" + id + "/agent", "{\"agent\":\"scout\",\"agent_variables\":{\"place\":\"Rome\"}}")
                .is(200);

        ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"say hi\"}")
                .is(200);
        assertThat(last().system()).isEqualTo("You know Rome.");

        ann.send("DELETE", "/v1/sessions/" + id + "/agent", null).is(204);
        ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"say hi\"}")
                .is(200);
        assertThat(last().system()).isNull();
    }

    @Test
    void a_session_that_lives_with_an_agent_can_be_without_it() {
        var id = ann.create("{\"agent\":\"plain\"}");

        ann.send("DELETE", "/v1/sessions/" + id + "/agent", null).is(204);

        ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"say hi\"}")
                .is(200);
        assertThat(last().system()).isNull();
    }

    @Test
    void one_request_can_be_answered_by_an_agent_also_over_the_openai_routes() {
        ann.post("/v1/completions", "{\"prompt\":\"say hi\",\"agent\":\"plain\"}")
                .is(200);
        assertThat(last().system()).isEqualTo("You are plain.");

        ann.post(
                        "/v1/chat/completions",
                        "{\"model\":\"agent:plain\",\"messages\":[{\"role\":\"user\",\"content\":\"say hi\"}]}")
                .is(200);
        assertThat(last().system()).isEqualTo("You are plain.");
        ann.post("/v1/completions", "{\"prompt\":\"say hi\",\"agent\":\"broken\"}")
                .is(400);
    }

    private ModelRequest last() {
        return server.model.seen.getLast();
    }
}
