package dev.skein.exchange.loki;

import dev.skein.exchange.loki.YamlValue.Mapping;
import dev.skein.exchange.loki.YamlValue.Scalar;
import dev.skein.exchange.loki.YamlValue.Sequence;
import dev.skein.failure.UnreadableImport;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// Reads one YAML document, of version 1.2, from bytes that may come from anyone.
///
/// Built on the parser's events rather than on a loader, because a loader decides what scalars mean before
/// anyone can ask how they were spelled. An alias shares the value it names; what aliases repeat is counted
/// as if it were written out, so that a small file cannot become a large one later.
///
/// Used once, by one thread.
final class YamlReader {

    static final int BYTES_MAX = 64 * 1024 * 1024;
    static final int VALUES_MAX = 2_000_000;

    /// Leaves room for the events around a value within [dev.skein.wire.Json#DEPTH_MAX].
    static final int DEPTH_MAX = 100;

    /// Characters and values that aliases may repeat, all together.
    static final long REPEATED_MAX = 1024 * 1024;

    /// The parser copies its window whenever a scalar outgrows it, so windows are large: with the usual 1 KB,
    /// a picture of some megabytes would take minutes.
    private static final int WINDOW_MAX = 4 * 1024 * 1024;

    /// A value that aliases can name, how much it weighs, and how many levels are below it.
    private record Anchored(YamlValue value, long weight, int levels) {}

    private final String source;
    private final Iterator<Event> events;
    private final Map<Anchor, Anchored> anchors = new HashMap<>();
    private int values;
    private long weight;
    private long repeated;
    private int deepest;
    private @Nullable UnreadableImport damage;

    /// A document, and what is wrong with the end of it: it then has everything before that.
    record Document(YamlValue root, @Nullable UnreadableImport damage) {}

    private YamlReader(String source, Iterator<Event> events) {
        this.source = source;
        this.events = events;
    }

    /// Reads the whole document.
    static YamlValue read(byte[] yaml, String source) {
        var read = salvage(yaml, source);
        if (read.damage() != null) {
            throw read.damage();
        }
        return read.root();
    }

    /// Reads a map of lists as far as it is good: if it is damaged behind the first item of a list, as it is when
    /// whoever wrote it was cut off, the items before the damage are there.
    static Document salvage(byte[] yaml, String source) {
        if (yaml.length > BYTES_MAX) {
            throw new UnreadableImport(
                    source, "has %d bytes, and at most %d are read".formatted(yaml.length, BYTES_MAX));
        }
        var words = decode(yaml, source);
        var text = words.text();
        var settings = LoadSettings.builder()
                .setCodePointLimit(BYTES_MAX)
                .setBufferSize(Math.clamp(text.length(), 1024, WINDOW_MAX))
                .build();
        var reader = new YamlReader(
                source, new Sound(new Parse(settings).parseString(text).iterator()));
        try {
            var root = reader.document();
            return new Document(root, reader.damage == null ? words.damage() : reader.damage);
        } catch (YamlEngineException e) {
            throw reader.unreadable(e);
        }
    }

    /// The parser's events. It fails by defect, too, in several ways: on `[[;,&a &a,[?` and on `[[1` and `,5:{%5` below
    /// it
    /// it looks for a token where there is none.
    private record Sound(Iterator<Event> events) implements Iterator<Event> {

        @Override
        public boolean hasNext() {
            return events.hasNext();
        }

        @Override
        public Event next() {
            try {
                return events.next();
            } catch (YamlEngineException e) {
                throw e;
            } catch (RuntimeException e) {
                throw new YamlEngineException("it cannot be parsed", e);
            }
        }
    }

    private UnreadableImport unreadable(YamlEngineException e) {
        if (e instanceof MarkedYamlEngineException marked) {
            var line = marked.getProblemMark().map(YamlReader::line).orElse(1);
            return UnreadableImport.atLine(source, line, "is not valid YAML: " + marked.getProblem(), e);
        }
        return new UnreadableImport(source, "is not valid YAML: " + firstLine(e.getMessage()), e);
    }

    /// Characters, up to where they end in zeros or in the middle of one.
    private record Words(String text, @Nullable UnreadableImport damage) {}

    private static Words decode(byte[] yaml, String source) {
        var in = ByteBuffer.wrap(yaml);
        var out = CharBuffer.allocate(yaml.length);
        if (StandardCharsets.UTF_8.newDecoder().decode(in, out, false).isError()) {
            throw new UnreadableImport(source, "is not UTF-8 text");
        }
        var cut = in.hasRemaining() ? new UnreadableImport(source, "ends in the middle of a character") : null;
        var text = out.flip().toString();
        var zero = text.indexOf('\0');
        if (zero == 0) {
            throw new UnreadableImport(source, "is full of zeros");
        }
        if (zero > 0) {
            text = text.substring(0, zero);
            cut = UnreadableImport.atLine(source, (int) text.lines().count(), "ends in zeros", null);
        }
        return new Words(text.startsWith("\uFEFF") ? text.substring(1) : text, cut);
    }

    private YamlValue document() {
        expect(Event.ID.StreamStart);
        if (events.next().getEventId() == Event.ID.StreamEnd) {
            throw new UnreadableImport(source, "is empty");
        }
        var root = value(events.next(), 0);
        if (damage != null) {
            return root;
        }
        expect(Event.ID.DocumentEnd);
        var next = events.next();
        if (next.getEventId() != Event.ID.StreamEnd) {
            throw problem(next, "has more than one document");
        }
        return root;
    }

    private void expect(Event.ID id) {
        var event = events.next();
        if (event.getEventId() != id) {
            throw problem(event, "has an unexpected " + event.getEventId());
        }
    }

    private YamlValue value(Event event, int depth) {
        if (++values > VALUES_MAX) {
            throw problem(event, "has more than " + VALUES_MAX + " values");
        }
        var weightBefore = weight;
        var deepestBefore = deepest;
        weight++;
        deepest = depth;
        checkDepth(event);
        var value = switch (event) {
            case AliasEvent alias -> named(alias, depth);
            case ScalarEvent scalar -> scalar(scalar);
            case SequenceStartEvent start -> sequence(start, depth);
            case MappingStartEvent start -> mapping(start, depth);
            default -> throw problem(event, "has an unexpected " + event.getEventId());
        };
        if (!(event instanceof AliasEvent) && event instanceof NodeEvent node) {
            var anchored = new Anchored(value, weight - weightBefore, deepest - depth);
            node.getAnchor().ifPresent(anchor -> anchors.put(anchor, anchored));
        }
        deepest = Math.max(deepest, deepestBefore);
        return value;
    }

    private void checkDepth(Event event) {
        if (deepest > DEPTH_MAX) {
            throw problem(event, "nests deeper than " + DEPTH_MAX + " levels");
        }
    }

    private YamlValue named(AliasEvent alias, int depth) {
        var anchored = anchors.get(alias.getAlias());
        if (anchored == null) {
            throw problem(alias, "uses the alias '" + alias.getAlias() + "', which names nothing complete before it");
        }
        weight += anchored.weight();
        repeated += anchored.weight();
        if (repeated > REPEATED_MAX) {
            throw problem(alias, "repeats too much through aliases");
        }
        deepest = depth + anchored.levels();
        checkDepth(alias);
        return anchored.value();
    }

    private YamlValue scalar(ScalarEvent event) {
        weight += event.getValue().length();
        var forcedText = event.getTag().filter(tag -> tag.equals("tag:yaml.org,2002:str") || tag.equals("!"));
        return new Scalar(event.getValue(), event.isPlain() && forcedText.isEmpty(), line(event));
    }

    private YamlValue sequence(SequenceStartEvent start, int depth) {
        var items = new ArrayList<YamlValue>();
        try {
            for (var event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
                items.add(value(event, depth + 1));
            }
        } catch (YamlEngineException e) {
            if (depth != 1 || items.isEmpty()) {
                throw e;
            }
            damage = unreadable(e);
        }
        items.trimToSize();
        return new Sequence(items, line(start));
    }

    private YamlValue mapping(MappingStartEvent start, int depth) {
        var entries = new LinkedHashMap<String, YamlValue>(4);
        for (var event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            if (!(value(event, depth + 1) instanceof Scalar key)) {
                throw problem(event, "has a key that is not a text");
            }
            if (entries.put(key.text(), value(events.next(), depth + 1)) != null) {
                throw problem(event, "has the key '" + key.text() + "' twice in one place");
            }
            if (damage != null) {
                break;
            }
        }
        return new Mapping(entries, line(start));
    }

    private UnreadableImport problem(Event event, String problem) {
        return UnreadableImport.atLine(source, line(event), problem, null);
    }

    private static int line(Event event) {
        return event.getStartMark().map(YamlReader::line).orElse(1);
    }

    private static int line(Mark mark) {
        return mark.getLine() + 1;
    }

    private static String firstLine(@Nullable String message) {
        return message == null ? "no reason given" : message.lines().findFirst().orElse("no reason given");
    }
}
