package dev.skein.tools.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeVisitor;
import org.jspecify.annotations.Nullable;

/// The text of a page: HTML as simple Markdown, other texts as they are.
final class PageText {

    private static final Pattern CHARSET = Pattern.compile("charset=\"?([A-Za-z0-9._:-]{1,40})");
    private static final Pattern TEXTUAL =
            Pattern.compile("text/.*|application/(?:.*\\+)?(?:json|xml|yaml|javascript|ecmascript|toml|x-ndjson|x-sh)");
    private static final String UNREAD = "script, style, noscript, template, svg, iframe, object, nav, head > *";

    private PageText() {}

    /// Nothing if this is no text.
    static Optional<String> of(byte[] body, String contentType, URI uri) {
        var type = contentType.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
        if (type.equals("text/html") || type.equals("application/xhtml+xml")) {
            return Optional.of(
                    html(body, charset(contentType).map(Charset::name).orElse(null), uri));
        }
        return TEXTUAL.matcher(type).matches()
                ? Optional.of(new String(body, charset(contentType).orElse(UTF_8)))
                : Optional.empty();
    }

    private static Optional<Charset> charset(String contentType) {
        var found = CHARSET.matcher(contentType);
        try {
            return found.find() ? Optional.of(Charset.forName(found.group(1))) : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static String html(byte[] body, @Nullable String charset, URI uri) {
        try {
            var page = Jsoup.parse(new ByteArrayInputStream(body), charset, uri.toString());
            var title = page.title();
            page.select(UNREAD).remove();
            var markdown = new Markdown();
            page.body().traverse(markdown);
            return (title.isBlank() ? "" : "# " + title + "\n\n") + markdown.text();
        } catch (IOException e) {
            throw new IllegalStateException("a page in memory could not be read", e);
        }
    }

    /// Writes what it visits. For one thread.
    private static final class Markdown implements NodeVisitor {

        private final StringBuilder out = new StringBuilder();
        private int verbatim;

        @Override
        public void head(Node node, int depth) {
            switch (node) {
                case TextNode text -> append(text);
                case Element element -> open(element);
                default -> {}
            }
        }

        @Override
        public void tail(Node node, int depth) {
            if (node instanceof Element element) {
                close(element);
            }
        }

        String text() {
            var lines = out.toString().lines().map(String::stripTrailing).collect(Collectors.joining("\n"));
            return lines.replaceAll("\\n{3,}", "\n\n").strip() + "\n";
        }

        private void append(TextNode node) {
            if (verbatim > 0) {
                out.append(node.getWholeText());
                return;
            }
            var text = node.getWholeText().replaceAll("\\s+", " ");
            var atStart = out.isEmpty() || Character.isWhitespace(out.charAt(out.length() - 1));
            out.append(atStart ? text.stripLeading() : text);
        }

        private void open(Element element) {
            switch (element.normalName()) {
                case "h1", "h2", "h3", "h4", "h5", "h6" -> {
                    paragraph();
                    out.append("#".repeat(element.normalName().charAt(1) - '0')).append(' ');
                }
                case "li" -> {
                    line();
                    out.append("- ");
                }
                case "br" -> out.append('\n');
                case "pre" -> {
                    paragraph();
                    out.append("```\n");
                    verbatim++;
                }
                case "tr" -> line();
                case "td", "th" -> out.append("| ");
                case "hr" -> {
                    paragraph();
                    out.append("---");
                }
                default -> {
                    if (element.isBlock()) {
                        paragraph();
                    }
                }
            }
        }

        private void close(Element element) {
            switch (element.normalName()) {
                case "a" -> {
                    var target = element.absUrl("href");
                    if (target.startsWith("http")
                            && verbatim == 0
                            && !element.text().isBlank()) {
                        out.append(" <").append(target).append('>');
                    }
                }
                case "pre" -> {
                    verbatim--;
                    line();
                    out.append("```");
                    paragraph();
                }
                case "li", "tr" -> line();
                case "td", "th" -> out.append(' ');
                default -> {
                    if (element.isBlock()) {
                        paragraph();
                    }
                }
            }
        }

        private void line() {
            if (!out.isEmpty() && out.charAt(out.length() - 1) != '\n') {
                out.append('\n');
            }
        }

        private void paragraph() {
            var bullet = out.length() >= 2 && out.substring(out.length() - 2).equals("- ");
            if (!out.isEmpty() && !bullet) {
                line();
                out.append('\n');
            }
        }
    }
}
