package dev.skein.wire;

import static java.util.Objects.requireNonNull;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import dev.skein.session.Continuation;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionEvent;
import dev.skein.session.Trigger;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/// Writes the events that every turn has, field by field, to the very bytes that binding makes of them. Binding goes
/// through reflection for each field, and sixteen writers on a fast disk wait for that.
final class TurnWriter {

    private static final SerializableString TYPE = name("type");
    private static final SerializableString AT = name("at");
    private static final SerializableString LOOP = name("loop");
    private static final SerializableString TURN = name("turn");
    private static final SerializableString TRIGGER = name("trigger");
    private static final SerializableString USAGE = name("usage");
    private static final SerializableString COST = name("cost");
    private static final SerializableString METADATA = name("metadata");

    private static final SerializableString PARENT = name("parent");
    private static final SerializableString PARENT_SEQ = name("parent_seq");
    private static final SerializableString CONTINUATION = name("continuation");
    private static final SerializableString KIND = name("kind");
    private static final SerializableString TAG = name("tag");
    private static final SerializableString AGENT = name("agent");
    private static final SerializableString CONFIG = name("config");

    private static final SerializableString MESSAGE = name("message");
    private static final SerializableString ID = name("id");
    private static final SerializableString ROLE = name("role");
    private static final SerializableString PARTS = name("parts");
    private static final SerializableString REPLY = name("reply");
    private static final SerializableString TEXT = name("text");

    private static final SerializableString INPUT_TOKENS = name("input_tokens");
    private static final SerializableString OUTPUT_TOKENS = name("output_tokens");
    private static final SerializableString CACHED_TOKENS = name("cached_tokens");
    private static final SerializableString CACHE_WRITE_TOKENS = name("cache_write_tokens");
    private static final SerializableString REASONING_TOKENS = name("reasoning_tokens");

    private static final SerializableString STATUS = name("status");
    private static final SerializableString REASON = name("reason");
    private static final SerializableString CODE = name("code");

    private static final SerializableString LOOP_STARTED = name("loop_started");
    private static final SerializableString TURN_STARTED = name("turn_started");
    private static final SerializableString MESSAGE_ENDED = name("message_ended");
    private static final SerializableString TURN_ENDED = name("turn_ended");
    private static final SerializableString LOOP_ENDED = name("loop_ended");

    private static final Map<Continuation.Kind, SerializableString> KINDS = names(Continuation.Kind.class);
    private static final Map<Trigger, SerializableString> TRIGGERS = names(Trigger.class);
    private static final Map<Role, SerializableString> ROLES = names(Role.class);
    private static final Map<LoopStatus, SerializableString> STATUSES = names(LoopStatus.class);

    private final JsonGenerator out;

    TurnWriter(JsonGenerator out) {
        this.out = out;
    }

    /// Writes the event as one JSON object, its type first, or answers false and writes nothing.
    boolean write(SessionEvent event) {
        switch (event) {
            case LoopEvent.LoopStarted started -> write(started);
            case LoopEvent.TurnStarted started -> {
                begin(TURN_STARTED, started.at(), started.loop());
                number(TURN, started.turn());
                word(TRIGGER, TRIGGERS, started.trigger());
            }
            case LoopEvent.MessageEnded ended -> {
                begin(MESSAGE_ENDED, ended.at(), ended.loop());
                number(TURN, ended.turn());
                out.writeName(MESSAGE);
                write(ended.message());
            }
            case LoopEvent.TurnEnded ended -> {
                begin(TURN_ENDED, ended.at(), ended.loop());
                number(TURN, ended.turn());
                out.writeName(USAGE);
                write(ended.usage());
                bound(COST, ended.cost());
            }
            case LoopEvent.LoopEnded ended -> {
                begin(LOOP_ENDED, ended.at(), ended.loop());
                word(STATUS, STATUSES, ended.status());
                text(REASON, ended.reason());
                text(CODE, ended.code());
                bound(USAGE, ended.usage());
                bound(COST, ended.cost());
            }
            default -> {
                return false;
            }
        }
        out.writeEndObject();
        return true;
    }

    private void write(LoopEvent.LoopStarted started) {
        begin(LOOP_STARTED, started.at(), started.loop());
        var parent = started.parent();
        text(PARENT, parent == null ? null : parent.text());
        var parentSeq = started.parentSeq();
        if (parentSeq != null) {
            number(PARENT_SEQ, parentSeq);
        }
        out.writeName(CONTINUATION);
        out.writeStartObject();
        word(KIND, KINDS, started.continuation().kind());
        text(TAG, started.continuation().tag());
        out.writeEndObject();
        word(TRIGGER, TRIGGERS, started.trigger());
        text(AGENT, started.agent());
        bound(CONFIG, started.config());
        metadata(started.metadata());
    }

    private void write(Message message) {
        out.writeStartObject();
        text(ID, message.id().text());
        word(ROLE, ROLES, message.role());
        time(message.at());
        parts(message.parts());
        bound(REPLY, message.reply());
        metadata(message.metadata());
        out.writeEndObject();
    }

    private void parts(Collection<Part> parts) {
        out.writeName(PARTS);
        out.writeStartArray();
        for (var part : parts) {
            if (part instanceof Part.Text(var text)) {
                out.writeStartObject();
                text(TYPE, TEXT);
                text(TEXT, text);
                out.writeEndObject();
            } else {
                out.writePOJO(part);
            }
        }
        out.writeEndArray();
    }

    private void write(Usage usage) {
        out.writeStartObject();
        number(INPUT_TOKENS, usage.inputTokens());
        number(OUTPUT_TOKENS, usage.outputTokens());
        number(CACHED_TOKENS, usage.cachedTokens());
        number(CACHE_WRITE_TOKENS, usage.cacheWriteTokens());
        number(REASONING_TOKENS, usage.reasoningTokens());
        out.writeEndObject();
    }

    private void begin(SerializableString type, Instant at, LoopId loop) {
        out.writeStartObject();
        text(TYPE, type);
        time(at);
        text(LOOP, loop.text());
    }

    private void time(Instant at) {
        out.writeName(AT);
        InstantWriter.write(at, out);
    }

    private void number(SerializableString name, long value) {
        out.writeName(name);
        out.writeNumber(value);
    }

    private void text(SerializableString name, SerializableString value) {
        out.writeName(name);
        out.writeString(value);
    }

    private <E extends Enum<E>> void word(SerializableString name, Map<E, SerializableString> words, E value) {
        text(name, requireNonNull(words.get(value)));
    }

    private void text(SerializableString name, @Nullable String value) {
        if (value != null) {
            out.writeName(name);
            out.writeString(value);
        }
    }

    private void metadata(Map<String, ?> metadata) {
        if (!metadata.isEmpty()) {
            bound(METADATA, metadata);
        }
    }

    /// What is rare enough for binding.
    private void bound(SerializableString name, @Nullable Object value) {
        if (value != null) {
            out.writeName(name);
            out.writePOJO(value);
        }
    }

    private static SerializableString name(String text) {
        return new SerializedString(text);
    }

    private static <E extends Enum<E>> Map<E, SerializableString> names(Class<E> type) {
        var names = new EnumMap<E, SerializableString>(type);
        for (var each : type.getEnumConstants()) {
            names.put(each, name(each.toString()));
        }
        return names;
    }
}
