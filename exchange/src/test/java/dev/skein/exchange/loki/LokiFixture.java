package dev.skein.exchange.loki;

import dev.skein.message.Message;
import dev.skein.session.Entry;
import dev.skein.session.Formation;
import dev.skein.session.Ids;
import dev.skein.session.Session;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.wire.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import tools.jackson.databind.JsonNode;

/// Session files, and what a store makes of them.
public final class LokiFixture {

    public static final Instant WRITTEN = Instant.parse("2026-05-08T12:08:38Z");

    private static final SessionId ID =
            SessionId.parse("01890a5d-ac96-774b-bcce-b302099a8057").orElseThrow();

    private LokiFixture() {}

    static LokiSession sample(String path) {
        try (var in = LokiFixture.class.getResourceAsStream("/samples/" + path)) {
            return read(Objects.requireNonNull(in, path).readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static LokiSession read(String yaml) {
        return read(yaml.getBytes(StandardCharsets.UTF_8));
    }

    static LokiSession read(byte[] yaml) {
        var ids = new Ids(Clock.fixed(WRITTEN, ZoneOffset.UTC), new Random(7));
        return LokiSession.read(yaml, "some.yaml", WRITTEN, ids);
    }

    /// Sample files, replayed.
    public static Session replayedSample(String path) {
        return replay(sample(path));
    }

    /// As a store does it: the opening is event 1, the rest follows.
    static Session replay(LokiSession read) {
        var entries = new ArrayList<Entry>();
        entries.add(Entry.of(1, opened()));
        for (var event : read.events()) {
            entries.add(Entry.of(entries.size() + 1, event));
        }
        return Session.replay(entries);
    }

    public static SessionEvent opened() {
        return new SessionEvent.SessionOpened(
                WRITTEN, 1, ID, "local", null, null, null, new Formation.Explicit(), null, null, null, null, Map.of());
    }

    static List<String> said(Session session) {
        return session.path().stream()
                .flatMap(loop -> loop.messages().stream())
                .map(LokiFixture::line)
                .toList();
    }

    static List<String> shown(Session session) {
        return session.context(1000).messages().stream().map(LokiFixture::line).toList();
    }

    /// The words of the only message in this file.
    static String onlyText(String content) {
        var session = replay(read("model: m\nmessages:\n- role: user\n  content: " + content + "\n"));
        return session.context(10).messages().getFirst().text();
    }

    static JsonNode json(String json) {
        return Json.MAPPER.readTree(json);
    }

    private static String line(Message message) {
        return message.role() + ": " + message.text();
    }
}
