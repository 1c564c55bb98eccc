package dev.skein.tools.web;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Arguments;
import dev.skein.tools.call.LocalTool;
import dev.skein.tools.call.Refused;
import dev.skein.tools.call.Schema;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/// Gets a page from the web and gives its text.
///
/// Every address of the host is checked before each request, redirects included, and the connection goes to the
/// address that was checked. What remains: a public server can be told things by what is asked of it, so a fetch acts.
public final class FetchTool {

    private final Terms terms;
    private final Redirects web;

    private FetchTool(Terms terms, Redirects web) {
        this.terms = terms;
        this.web = web;
    }

    /// Which addresses may be fetched from.
    public enum Reach {
        PUBLIC,
        /// This machine and private networks too.
        EVERYWHERE
    }

    /// How far, how long, how much.
    public record Terms(Reach reach, Duration timeout, int bytesMax, int charsMax) {}

    public static Tool with(Terms terms) {
        return with(
                terms,
                switch (terms.reach()) {
                    case PUBLIC -> AddressRules::isPublic;
                    case EVERYWHERE -> _ -> true;
                },
                host -> List.of(InetAddress.getAllByName(host)),
                (SSLSocketFactory) SSLSocketFactory.getDefault());
    }

    static Tool with(Terms terms, Predicate<InetAddress> allowed, Destination.Resolver resolver, SSLSocketFactory tls) {
        var fetch = new FetchTool(terms, new Redirects(allowed, resolver, tls, terms.bytesMax()));
        return new LocalTool(
                new ToolSpec(
                        "fetch",
                        "Gets a page from the web with GET and returns its text; HTML comes as Markdown.",
                        Schema.requiring("url")
                                .text("url", "An http or https URL, without a user name or password.")
                                .json(),
                        ToolSpec.Repeat.SAFE,
                        ToolSpec.Effect.ACTS),
                (arguments, _, cancellation) -> fetch.run(arguments, cancellation));
    }

    private ToolOutcome run(Arguments arguments, Cancellation cancellation) throws IOException, InterruptedException {
        var url = arguments.text("url");
        var current = new AtomicReference<@Nullable HttpGet>();
        var done = new CompletableFuture<String>();
        var worker = Thread.ofVirtual().name("skein-fetch").start(() -> {
            try {
                done.complete(text(web.follow(url, current)));
            } catch (IOException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        try (var _ = cancellation.onCancel(() -> done.completeExceptionally(new InterruptedException()))) {
            return ToolOutcome.Answered.text(done.get(terms.timeout().toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException _) {
            return new ToolOutcome.TimedOut(terms.timeout());
        } catch (ExecutionException e) {
            cancellation.check();
            if (e.getCause() instanceof Refused refused) {
                throw refused;
            }
            if (e.getCause() instanceof IOException failed) {
                throw new IOException("fetching '" + url + "' failed: " + words(failed), failed);
            }
            throw new IllegalStateException("fetching '" + url + "' failed", e.getCause());
        } finally {
            worker.interrupt();
            var last = current.get();
            if (last != null) {
                last.close();
            }
        }
    }

    private String text(Redirects.End end) {
        var uri = end.uri();
        var response = end.response();
        var encoding = response.header("content-encoding").orElse("identity");
        if (!encoding.equalsIgnoreCase("identity")) {
            throw new Refused("'" + uri + "' answered in the encoding '" + encoding + "' although none was asked for");
        }
        var type = response.header("content-type").orElse("text/plain");
        var text = PageText.of(response.body(), type, uri);
        if (response.status() >= 400) {
            throw new Refused("'" + uri + "' answered with status " + response.status() + ": "
                    + text.orElse("")
                            .strip()
                            .lines()
                            .limit(5)
                            .reduce("", (a, b) -> a.length() > 500 ? a : a + "\n" + b));
        }
        if (text.isEmpty()) {
            throw new Refused("'" + uri + "' is of type '" + type + "', not a text");
        }
        var whole = text.get();
        var shown = whole.length() <= terms.charsMax() ? whole : whole.substring(0, terms.charsMax());
        return shown.length() < whole.length() || response.cut() ? shown + "\n[cut: the page is longer]" : shown;
    }

    private static String words(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
