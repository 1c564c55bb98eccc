package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

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

    private void sees(String selector, String text) {
        PlaywrightAssertions.assertThat(page.locator(selector).last())
                .containsText(text, new LocatorAssertions.ContainsTextOptions().setTimeout(Chromium.PATIENCE));
    }
}
