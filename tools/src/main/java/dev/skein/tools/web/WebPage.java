package dev.skein.tools.web;

import dev.skein.cancellation.Cancellation;
import dev.skein.tools.call.Refused;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/// A page that a person named, as it came over the web.
///
/// It may be on this machine or its neighbours, since a person chose it; but a page of the public internet cannot lead
/// there.
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record WebPage(URI uri, String contentType, byte[] body) {

    /// Gets the page, in time and whole.
    ///
    /// @throws IOException if it cannot be had; the message says why
    public static WebPage get(String url, Duration timeout, int bytesMax, Cancellation cancellation)
            throws IOException {
        var current = new AtomicReference<@Nullable HttpGet>();
        var done = new CompletableFuture<Redirects.End>();
        var web = new Redirects(
                fromPublicToPublic(),
                host -> List.of(InetAddress.getAllByName(host)),
                (SSLSocketFactory) SSLSocketFactory.getDefault(),
                bytesMax);
        var worker = Thread.ofVirtual().name("skein-page").start(() -> {
            try {
                done.complete(web.follow(url, current));
            } catch (IOException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        try (var _ = cancellation.onCancel(() -> done.completeExceptionally(new InterruptedException()))) {
            return page(url, done.get(timeout.toNanos(), TimeUnit.NANOSECONDS), bytesMax);
        } catch (TimeoutException _) {
            throw new IOException("no answer within " + timeout.toSeconds() + " seconds");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            cancellation.check();
            switch (e.getCause()) {
                case IOException failed -> throw failed;
                case Refused refused -> throw new IOException(refused.getMessage(), refused);
                case null, default -> throw new IllegalStateException("fetching '" + url + "' failed", e);
            }
        } finally {
            worker.interrupt();
            var last = current.get();
            if (last != null) {
                last.close();
            }
        }
    }

    /// Its text, HTML as Markdown; empty if it is none.
    public Optional<String> text() {
        return PageText.of(body, contentType, uri);
    }

    public boolean isHtml() {
        return contentType.toLowerCase(Locale.ROOT).matches("(text/html|application/xhtml\\+xml)\\b.*");
    }

    private static WebPage page(String url, Redirects.End end, int bytesMax) throws IOException {
        var response = end.response();
        if (response.status() >= 400) {
            throw new IOException("'" + url + "' answered with status " + response.status());
        }
        if (response.cut()) {
            throw new IOException("'" + url + "' has more than " + bytesMax + " bytes");
        }
        var encoding = response.header("content-encoding").orElse("identity");
        if (!encoding.equalsIgnoreCase("identity")) {
            throw new IOException("'" + url + "' answered in the encoding '" + encoding + "', which was not asked for");
        }
        return new WebPage(end.uri(), response.header("content-type").orElse("text/plain"), response.body());
    }

    private static Predicate<InetAddress> fromPublicToPublic() {
        var wasPublic = new AtomicBoolean();
        return address -> {
            if (AddressRules.isPublic(address)) {
                wasPublic.set(true);
                return true;
            }
            return !wasPublic.get();
        };
    }
}
