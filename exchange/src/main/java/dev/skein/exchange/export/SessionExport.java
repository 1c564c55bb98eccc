package dev.skein.exchange.export;

import dev.skein.session.Entry;
import dev.skein.session.Session;
import dev.skein.session.SessionState;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionSummary;
import dev.skein.wire.EventCodec;
import dev.skein.wire.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/// One session, ready to be written somewhere else, as of the moment this was made.
///
/// JSON and YAML have this shape, and lose nothing, not even fields and events unknown to this version:
///
/// ```
/// {"format": 1, "session": {a summary}, "settings": {…}, "events": [{"seq": 1, "type": "session_opened", …}, …]}
/// ```
///
/// They are written event by event, so that a long session needs no more memory than a short one. Markdown
/// is a transcript of the path to the head, for people.
public final class SessionExport {

    /// The version of the shape above.
    public static final int FORMAT = 1;

    private static final ObjectWriter JSON = writer(Json.MAPPER).withDefaultPrettyPrinter();
    private static final ObjectWriter YAML = writer(Json.configure(YAMLMapper.builder(
                    YAMLFactory.builder().disable(YAMLWriteFeature.SPLIT_LINES).build()))
            .build());

    private final SessionState state;
    private final Consumer<Consumer<Entry>> entries;
    private final Supplier<Session> whole;

    private SessionExport(SessionState state, Consumer<Consumer<Entry>> entries, Supplier<Session> whole) {
        this.state = state;
        this.entries = entries;
        this.whole = whole;
    }

    /// Reads from the store while it writes. What is appended meanwhile is left out.
    public static SessionExport of(SessionHandle session) {
        var state = session.state();
        Consumer<Consumer<Entry>> entries = each -> session.read(1, entry -> {
            if (entry.seq() <= state.version()) {
                each.accept(entry);
            }
        });
        return new SessionExport(state, entries, () -> {
            var read = new ArrayList<Entry>();
            entries.accept(read::add);
            return Session.replay(read);
        });
    }

    public static SessionExport of(Session session) {
        return new SessionExport(session.state(), session.entries()::forEach, () -> session);
    }

    /// Writes the session, in UTF-8, and flushes. The stream stays open.
    public void write(ExportFormat format, OutputStream out) throws IOException {
        switch (format) {
            case JSON -> writeTree(JSON, out);
            case YAML -> writeTree(YAML, out);
            case MARKDOWN -> {
                var text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
                new Transcript(whole.get(), text).write();
                text.flush();
            }
        }
    }

    private void writeTree(ObjectWriter writer, OutputStream out) throws IOException {
        try (var json = writer.createGenerator(out)) {
            json.writeStartObject();
            json.writeNumberProperty("format", FORMAT);
            json.writePOJOProperty("session", SessionSummary.of(state));
            json.writePOJOProperty("settings", state.settings());
            json.writeArrayPropertyStart("events");
            entries.accept(entry -> json.writeTree(tree(entry)));
            json.writeEndArray();
            json.writeEndObject();
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
        out.flush();
    }

    /// The event with its number first.
    private static ObjectNode tree(Entry entry) {
        var tree = Json.MAPPER.createObjectNode().put("seq", entry.seq());
        tree.setAll(EventCodec.tree(entry.event(), entry.raw()));
        return tree.put("seq", entry.seq());
    }

    private static ObjectWriter writer(ObjectMapper mapper) {
        return mapper.writer().without(StreamWriteFeature.AUTO_CLOSE_TARGET);
    }
}
