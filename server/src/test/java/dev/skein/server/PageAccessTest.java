package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/// The page, held to the WCAG rules (A and AA) that a program can check.
@EnabledIf("dev.skein.server.Chromium#isInstalled")
class PageAccessTest {

    private static final String COMPLAINTS = """
            async () => (await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })).violations
                .flatMap(rule => rule.nodes.map(node => rule.id + ': ' + node.html + ' ' + node.failureSummary))""";

    @Test
    void everybody_can_use_it_in_light_and_dark() throws IOException {
        try (var server = new TestServer();
                var chromium = new Chromium()) {
            var ann = server.client("ann");
            var id = ann.create("{\"alias\":\"fruit\"}");
            server.model.stage.put(
                    "table", "say # A\n\n| a | b |\n| - | - |\n| 1 | [c](https://example.org) |\n\n```js\n1\n```");
            for (var words : List.of("table", "look 1", "one", "act 7")) {
                ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"" + words + "\"}")
                        .is(200);
            }
            for (var scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                try (var window = chromium.open(new Browser.NewContextOptions().setColorScheme(scheme))) {
                    var page = window.at(server.server.port(), "ann");
                    page.evaluate(axe());
                    holds(page, scheme + " new");
                    page.evaluate("id => { location.hash = '#/s/' + id; }", id);
                    page.waitForSelector(".approval");
                    page.locator("summary").first().click();
                    holds(page, scheme + " conversation");
                    for (var tab : List.of("Tree", "Timeline", "Usage", "Compare")) {
                        page.locator(".tab", new Page.LocatorOptions().setHasText(tab))
                                .click();
                        page.waitForSelector(".panel[aria-label=" + tab + "]");
                        holds(page, scheme + " " + tab);
                    }
                    page.locator(".actions button").first().click();
                    page.waitForSelector("dialog");
                    holds(page, scheme + " dialog");
                }
            }
        }
    }

    private static void holds(Page page, String where) {
        assertThat((List<?>) page.evaluate(COMPLAINTS)).as(where).isEmpty();
    }

    private static String axe() throws IOException {
        try (var in = PageAccessTest.class.getResourceAsStream("/axe.min.js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
