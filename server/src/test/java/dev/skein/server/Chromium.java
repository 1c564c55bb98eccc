package dev.skein.server;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/// The browser of this machine, without a screen. Nothing is downloaded: it must be installed.
final class Chromium implements AutoCloseable {

    static final double PATIENCE = 45_000;

    private final Playwright playwright;
    private final Browser browser;

    static boolean isInstalled() {
        return executable().isPresent();
    }

    private static Optional<Path> executable() {
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> Stream.of(
                                System.getenv().getOrDefault("PATH", "").split(":"))
                        .map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    Chromium() {
        this.playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        this.browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(executable().orElseThrow())
                        .setArgs(List.of("--no-sandbox", "--disable-dev-shm-usage"))
                        .setTimeout(PATIENCE));
    }

    Window open() {
        return open(new Browser.NewContextOptions().setViewportSize(1280, 800));
    }

    Window open(Browser.NewContextOptions options) {
        return new Window(browser.newContext(options));
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }

    /// One person's window. It notes what the page complains about, and whom it asks.
    static final class Window implements AutoCloseable {
        final List<String> complaints = new CopyOnWriteArrayList<>();
        final List<String> requests = new CopyOnWriteArrayList<>();
        final List<String> dialogs = new CopyOnWriteArrayList<>();
        final Page page;
        private final BrowserContext context;

        Window(BrowserContext context) {
            this.context = context;
            context.setDefaultTimeout(PATIENCE);
            this.page = context.newPage();
            page.onConsoleMessage(message -> {
                if (message.type().equals("error")) {
                    complaints.add(message.text());
                }
            });
            page.onPageError(complaints::add);
            page.onRequest(request -> requests.add(request.url()));
            page.onDialog(dialog -> {
                dialogs.add(dialog.message());
                dialog.dismiss();
            });
        }

        /// Opens the page as `skein serve` offers it, as this caller.
        Page at(int port, String name) {
            page.navigate("http://127.0.0.1:" + port + "/#token=" + name);
            page.waitForSelector("#search");
            return page;
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
