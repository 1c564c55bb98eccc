package dev.skein.server;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.skein.wire.Json;
import java.nio.file.Path;
import java.util.Set;

/// Takes the pictures in `docs/images` with the page as it is, or many more for a look into another directory. Not a
/// test; run it when the page looks different.
final class PagePictures {

    private static final Set<String> IN_DOCS = Set.of("approval-light", "tree-dark", "usage-light");

    private static final String REPORT = """
            say Three things changed, and one of them matters.

            ## What matters

            The index is now **derived**: delete it, and the next start builds it again from the journal. See
            [the format](https://example.org/format) for the details.

            1. Journals keep their names.
            2. Locks live beside them:
               - one per session
               - none per home

            ```java
            try (var session = store.open(scope, id)) {
                session.append(List.of(event));
            }
            ```

            | what | before | after |
            | --- | --- | --- |
            | start, 10,000 sessions | 2.1 s | 0.2 s |
            | memory | 410 MB | 96 MB |
            """;

    private final TestServer server = new TestServer();
    private final Chromium chromium = new Chromium();
    private final Path directory;
    private final boolean all;

    private PagePictures(Path directory, boolean all) {
        this.directory = directory;
        this.all = all;
    }

    public static void main(String[] args) {
        var elsewhere = args.length > 0;
        new PagePictures(Path.of(elsewhere ? args[0] : "../docs/images"), elsewhere).take();
        System.exit(0);
    }

    private void take() {
        server.model.stage.put("What changed in the store since spring?", REPORT);
        server.model.stage.put("How long are the journals by now?", "look journals");
        server.model.stage.put("after How long are the journals by now?", "The longest has **12,480** events, 3.1 MB.");
        server.model.stage.put("Then deploy it, please.", "act release-2.4");
        var ann = server.client("ann");
        for (var name : new String[] {"ideas", "taxes-2026", "trip-to-lisbon", "refactor-parser", "weekly-report"}) {
            var id = ann.create("{\"alias\":\"" + name + "\"}");
            say(ann, id, "Tell me about " + name);
        }
        var id = ann.create("{\"alias\":\"release-notes\"}");
        say(ann, id, "What changed in the store since spring?");
        say(ann, id, "How long are the journals by now?");
        ann.post("/v1/sessions/" + id + "/regenerate", "{}");
        say(ann, id, "Thank you");
        ann.post("/v1/sessions/" + id + "/undo", "{}");
        say(ann, id, "And who wrote most of it?");
        for (int i = 0; i < 6; i++) {
            say(ann, id, "Give me detail number " + i + " about " + "the journal and its index ".repeat(i));
        }
        ann.post("/v1/sessions/" + id + "/regenerate", "{}");
        say(ann, id, "What changed in the store since spring?");
        say(ann, id, "How long are the journals by now?");
        say(ann, id, "Then deploy it, please.");
        wide(id);
        narrow(id);
        chromium.close();
        server.close();
    }

    private static void say(Client client, String id, String words) {
        var body = Json.MAPPER.createObjectNode().put("prompt", words);
        client.post("/v1/sessions/" + id + "/completions", body.toString()).is(200);
    }

    private void wide(String id) {
        for (var scheme : ColorScheme.values()) {
            if (scheme == ColorScheme.NO_PREFERENCE) {
                continue;
            }
            var options =
                    new Browser.NewContextOptions().setViewportSize(1180, 760).setColorScheme(scheme);
            try (var window = chromium.open(options)) {
                var page = window.at(server.server.port(), "ann");
                var name = scheme.name().toLowerCase(java.util.Locale.ROOT);
                picture(page, "new-" + name);
                page.navigate(page.url().replaceAll("#.*", "") + "#/s/" + id);
                page.waitForSelector(".approval");
                picture(page, "approval-" + name);
                page.locator(".markdown h4").last().scrollIntoViewIfNeeded();
                picture(page, "conversation-" + name);
                for (var tab : new String[] {"Tree", "Timeline", "Usage", "Compare"}) {
                    page.locator(".tab", new Page.LocatorOptions().setHasText(tab))
                            .click();
                    page.waitForSelector(".panel[aria-label=" + tab + "]");
                    page.waitForLoadState();
                    page.waitForCondition(() -> page.locator(".panel a, .panel .event, .panel svg, .columns .message")
                                    .count()
                            > 0);
                    picture(page, tab.toLowerCase(java.util.Locale.ROOT) + "-" + name);
                }
                complain(window);
            }
        }
    }

    private void narrow(String id) {
        try (var window = chromium.open(new Browser.NewContextOptions().setViewportSize(360, 720))) {
            var page = window.at(server.server.port(), "ann");
            picture(page, "narrow-list");
            page.navigate(page.url().replaceAll("#.*", "") + "#/s/" + id);
            page.waitForSelector(".approval");
            picture(page, "narrow-approval");
            page.locator(".markdown h4").last().scrollIntoViewIfNeeded();
            picture(page, "narrow-conversation");
            page.locator(".tab", new Page.LocatorOptions().setHasText("Tree")).click();
            page.waitForSelector(".graph");
            picture(page, "narrow-tree");
            page.locator(".tab", new Page.LocatorOptions().setHasText("Usage")).click();
            page.waitForSelector(".plot");
            picture(page, "narrow-usage");
            complain(window);
        }
    }

    private void picture(Page page, String name) {
        page.waitForCondition(() -> page.locator(".session").count() > 0);
        if (!all && !IN_DOCS.contains(name)) {
            return;
        }
        page.screenshot(new Page.ScreenshotOptions().setPath(directory.resolve("page-" + name + ".png")));
    }

    private static void complain(Chromium.Window window) {
        if (!window.complaints.isEmpty()) {
            throw new AssertionError(window.complaints.toString());
        }
    }
}
