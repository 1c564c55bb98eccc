package dev.skein.store.query;

import dev.skein.message.Cost;
import dev.skein.message.Usage;
import dev.skein.session.ForkRef;
import dev.skein.session.Origin;
import dev.skein.session.SessionId;
import dev.skein.session.SessionStatus;
import dev.skein.store.SessionSummary;
import dev.skein.wire.InstantReader;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// Reads a summary field by field. [dev.skein.wire.Json] has to learn the shape of a summary before it reads the first,
/// which takes
/// longer than all the rest of listing a thousand sessions.
///
/// Knows the one shape that is written here. Of any other, [#read] says nothing, and the mapper has the word.
public final class SummaryReader {

    private static final JsonFactory FACTORY = new JsonFactory();

    private @Nullable SessionId id;
    private @Nullable String alias;
    private @Nullable String owner;
    private @Nullable String agent;
    private @Nullable String description;
    private @Nullable SessionStatus status;
    private @Nullable String model;
    private @Nullable String provider;
    private @Nullable String role;
    private @Nullable String rag;
    private @Nullable Instant createdAt;
    private @Nullable Instant lastActivityAt;
    private long messageCount;
    private long loopCount;
    private @Nullable String firstMessage;
    private @Nullable Usage usage;
    private @Nullable Cost cost;
    private boolean autoname;
    private @Nullable Origin origin;
    private @Nullable ForkRef fork;
    private @Nullable String legacy;

    private SummaryReader() {}

    /// The summary, or null if this is not one as they are written here.
    public static @Nullable SessionSummary read(byte[] json) {
        try (var parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            return new SummaryReader().read(parser);
        } catch (Otherwise | JacksonException | IllegalArgumentException | NullPointerException _) {
            return null;
        }
    }

    /// Something stands here that is not written here.
    private static final class Otherwise extends RuntimeException {
        private static final long serialVersionUID = 1;

        Otherwise() {
            super("not as it is written here", null, false, false);
        }
    }

    private interface Field {
        void read(String name, JsonParser parser);
    }

    private SessionSummary read(JsonParser parser) {
        parser.nextToken();
        fields(parser, this::field);
        if (parser.nextToken() != null
                || owner == null
                || status == null
                || createdAt == null
                || lastActivityAt == null
                || usage == null
                || cost == null) {
            throw new Otherwise();
        }
        return new SessionSummary(
                id,
                alias,
                owner,
                agent,
                description,
                status,
                model,
                provider,
                role,
                rag,
                createdAt,
                lastActivityAt,
                messageCount,
                loopCount,
                firstMessage,
                usage,
                cost,
                autoname,
                origin,
                fork,
                legacy);
    }

    private void field(String name, JsonParser parser) {
        switch (name) {
            case "id" -> id = SessionId.of(text(parser));
            case "alias" -> alias = text(parser);
            case "owner" -> owner = text(parser);
            case "agent" -> agent = text(parser);
            case "description" -> description = text(parser);
            case "status" -> status = status(text(parser));
            case "model" -> model = text(parser);
            case "provider" -> provider = text(parser);
            case "role" -> role = text(parser);
            case "rag" -> rag = text(parser);
            case "created_at" -> createdAt = time(parser);
            case "last_activity_at" -> lastActivityAt = time(parser);
            case "message_count" -> messageCount = number(parser);
            case "loop_count" -> loopCount = number(parser);
            case "first_message" -> firstMessage = text(parser);
            case "usage" -> usage = usage(parser);
            case "cost" -> cost = cost(parser);
            case "autoname" -> autoname = flag(parser);
            case "origin" -> origin = origin(parser);
            case "fork" -> fork = fork(parser);
            case "legacy" -> legacy = text(parser);
            default -> throw new Otherwise();
        }
    }

    private static Usage usage(JsonParser parser) {
        var counts = new long[5];
        fields(
                parser,
                (name, at) -> counts[
                                switch (name) {
                                    case "input_tokens" -> 0;
                                    case "output_tokens" -> 1;
                                    case "cached_tokens" -> 2;
                                    case "cache_write_tokens" -> 3;
                                    case "reasoning_tokens" -> 4;
                                    default -> throw new Otherwise();
                                }] =
                        number(at));
        return new Usage(counts[0], counts[1], counts[2], counts[3], counts[4]);
    }

    private static Origin origin(JsonParser parser) {
        var texts = new @Nullable String[2];
        var imported = new @Nullable Instant[1];
        fields(parser, (name, at) -> {
            switch (name) {
                case "tool" -> texts[0] = text(at);
                case "source" -> texts[1] = text(at);
                case "imported_at" -> imported[0] = time(at);
                default -> throw new Otherwise();
            }
        });
        if (texts[0] == null) {
            throw new Otherwise();
        }
        return new Origin(texts[0], texts[1], imported[0]);
    }

    private static ForkRef fork(JsonParser parser) {
        var session = new @Nullable SessionId[1];
        var seq = new long[1];
        fields(parser, (name, at) -> {
            switch (name) {
                case "session" -> session[0] = SessionId.of(text(at));
                case "seq" -> seq[0] = number(at);
                default -> throw new Otherwise();
            }
        });
        if (session[0] == null) {
            throw new Otherwise();
        }
        return new ForkRef(session[0], seq[0]);
    }

    /// Hands over each field of the object at which the parser is, with the parser at the field's value.
    private static void fields(JsonParser parser, Field field) {
        require(parser, JsonToken.START_OBJECT);
        for (var name = parser.nextName(); name != null; name = parser.nextName()) {
            parser.nextToken();
            field.read(name, parser);
        }
        require(parser, JsonToken.END_OBJECT);
    }

    private static String text(JsonParser parser) {
        require(parser, JsonToken.VALUE_STRING);
        return parser.getString();
    }

    private static long number(JsonParser parser) {
        require(parser, JsonToken.VALUE_NUMBER_INT);
        return parser.getLongValue();
    }

    private static boolean flag(JsonParser parser) {
        if (!parser.hasToken(JsonToken.VALUE_TRUE)) {
            require(parser, JsonToken.VALUE_FALSE);
        }
        return parser.hasToken(JsonToken.VALUE_TRUE);
    }

    private static Cost cost(JsonParser parser) {
        if (!parser.hasToken(JsonToken.VALUE_NUMBER_FLOAT)) {
            require(parser, JsonToken.VALUE_NUMBER_INT);
        }
        return new Cost(parser.getDecimalValue());
    }

    private static Instant time(JsonParser parser) {
        var time = InstantReader.parse(text(parser));
        if (time == null) {
            throw new Otherwise();
        }
        return time;
    }

    private static SessionStatus status(String text) {
        for (var each : SessionStatus.values()) {
            if (each.toString().equals(text)) {
                return each;
            }
        }
        throw new Otherwise();
    }

    private static void require(JsonParser parser, JsonToken token) {
        if (!parser.hasToken(token)) {
            throw new Otherwise();
        }
    }
}
