package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PageFilesTest {

    private static final Pattern FILE = Pattern.compile("/page/[0-9a-f]+/[a-z]+\\.[a-z]+");

    private TestServer server;
    private Client stranger;

    @BeforeEach
    void start() {
        server = new TestServer();
        stranger = new Client(server.server.port(), null);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void the_page_is_for_everybody_and_runs_nothing_but_its_own_files() {
        var page = stranger.get("/").is(200);

        assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(page.header("Content-Security-Policy"))
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "connect-src 'self'")
                .doesNotContain("unsafe", "*", "http:");
        assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(page.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(page.body()).doesNotContain("<style", "style=", "onload", "http://", "https://", "@version@");
    }

    @Test
    void its_files_are_kept_for_good_under_an_address_that_changes_with_them() {
        var found = FILE.matcher(stranger.get("/").body());
        int files = 0;
        while (found.find()) {
            files++;
            var file = stranger.get(found.group()).is(200);
            assertThat(file.header("Cache-Control")).contains("immutable");
            assertThat(file.header("Content-Type")).matches("(text/(javascript|css); charset=utf-8|image/svg.xml)");
        }
        assertThat(files).isEqualTo(3);
    }

    @Test
    void a_page_that_the_browser_has_is_not_sent_again() {
        var tag = stranger.get("/").header("ETag");

        var again = stranger.with("If-None-Match", tag).get("/").is(304);

        assertThat(again.body()).isEmpty();
        assertThat(stranger.with("If-None-Match", "\"other\"").get("/").status())
                .isEqualTo(200);
    }

    @Test
    void there_are_no_other_files() {
        var version = FILE.matcher(stranger.get("/").body())
                .results()
                .findFirst()
                .orElseThrow()
                .group()
                .split("/")[2];

        for (var path : new String[] {
            "/page/" + version + "/index.html",
            "/page/" + version + "/Page.class",
            "/page/" + version + "/..%2Fopenapi.yaml",
            "/page/" + version + "/%2e%2e",
            "/page/0000000000000000/app.js",
            "/page/app.js"
        }) {
            assertThat(stranger.get(path).status()).as(path).isIn(400, 401, 404);
        }
    }

    @Test
    void a_branch_can_be_read_by_naming_its_loop() {
        var ann = server.client("ann");
        var id = ann.create("{}");
        ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"one\"}").is(200);
        ann.post("/v1/sessions/" + id + "/undo", "{}").is(200);
        ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"two\"}").is(200);
        var first =
                ann.get("/v1/sessions/" + id + "/tree").json().at("/loops/0/id").asString();

        var messages = "/v1/sessions/" + id + "/messages";
        assertThat(ann.get(messages).is(200).body()).contains("two").doesNotContain("one");
        assertThat(ann.get(messages + "?loop=" + first).is(200).body())
                .contains("one")
                .doesNotContain("two");
        assertThat(ann.get(messages + "?loop=nonsense").is(400).code()).isEqualTo("request.invalid");
    }

    @Test
    void a_tail_can_begin_with_the_newest_events() {
        var ann = server.client("ann");
        var id = ann.create("{}");
        ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"one\"}").is(200);

        try (var tail = ann.followNewest(id, 0)) {
            ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"two\"}")
                    .is(200);

            assertThat(tail.untilNamed("finished")
                            .getLast()
                            .data()
                            .path("final_message")
                            .asString())
                    .isEqualTo("You said: two");
        }
    }
}
