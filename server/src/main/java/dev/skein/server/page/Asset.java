package dev.skein.server.page;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/// A file that the page is made of. The list is closed: nothing else in the program can be asked for.
enum Asset {
    ACTIONS("actions.js"),
    APP("app.js"),
    API("api.js"),
    CHARTS("charts.js"),
    COMPARE("compare.js"),
    COMPOSER("composer.js"),
    CONVERSATION("conversation.js"),
    DIALOGS("dialogs.js"),
    DOM("dom.js"),
    FORMAT("format.js"),
    KEYS("keys.js"),
    LIVE("live.js"),
    MARKDOWN("markdown.js"),
    MESSAGES("messages.js"),
    SESSIONS("sessions.js"),
    STREAM("stream.js"),
    STYLE("skein.css"),
    SYMBOL("skein.svg"),
    TIMELINE("timeline.js"),
    TRANSCRIPT("transcript.js"),
    TREE("tree.js");

    private final String file;

    Asset(String file) {
        this.file = file;
    }

    String file() {
        return file;
    }

    String mediaType() {
        return switch (file.substring(file.lastIndexOf('.') + 1)) {
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalStateException("no media type for " + file);
        };
    }

    static Optional<Asset> named(String file) {
        return Arrays.stream(values()).filter(asset -> asset.file.equals(file)).findFirst();
    }

    byte[] bytes() {
        return read(file);
    }

    static byte[] read(String name) {
        try (var in = Asset.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the program has no " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + name, e);
        }
    }
}
