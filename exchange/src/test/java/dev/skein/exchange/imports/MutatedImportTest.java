package dev.skein.exchange.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.failure.UnreadableImport;
import dev.skein.session.Session;
import dev.skein.wire.EventCodec;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Files that are nearly right: each is a session that can be replayed and stored, or unreadable, and nothing else.
class MutatedImportTest {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int ROUNDS = Integer.getInteger("skein.import.rounds", 400);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "miniclaw/sessions/telegram_123456789.json",
                "harness/sessions/2025-01-04-14-32-15-001-aB_d.json",
                "phi/11111111-1111-4111-8111-111111111111.json",
                "phi/22222222-2222-4222-8222-222222222222.json",
                "claude-code/5e0f0e1c-7f0a-4c57-9d5b-3a7f2f4e8a01.jsonl",
                "codex/rollout-2025-12-08T00-37-46-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5.jsonl",
                "pi/2026-01-24T16-22-26-831Z_e99116ac-a6da-48fc-ad8b-2feca1c51550.jsonl"
            })
    void whatever_is_changed_in_a_file_it_is_a_session_or_unreadable(String path) throws IOException {
        var original = new String(bytes(path), StandardCharsets.UTF_8);
        var read = 0;
        for (int seed = 0; seed < ROUNDS; seed++) {
            var random = new Random(seed);
            var mutated = path.endsWith("l") ? mutatedLines(original, random) : mutated(original, random);
            try {
                var file = new SourceFile(Path.of(path), mutated.getBytes(StandardCharsets.UTF_8), Instant.EPOCH);
                var session = SessionFiles.read(file);
                if (session.isPresent()) {
                    var entries = session.get().entries(session.get().session().alias(), Instant.EPOCH);
                    Session.replay(entries).context(50);
                    entries.forEach(entry -> EventCodec.encode(entry.event(), null));
                    read++;
                }
            } catch (UnreadableImport _) {
                // As it should be.
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + mutated, e);
            }
        }
        assertThat(read).as("most of it can be read").isGreaterThan(ROUNDS / 5);
    }

    private static String mutatedLines(String original, Random random) {
        var lines = new ArrayList<>(original.lines().toList());
        for (int i = 0; i < 2; i++) {
            var at = random.nextInt(lines.size());
            switch (random.nextInt(6)) {
                case 0 -> lines.remove(at);
                case 1 -> lines.add(random.nextInt(lines.size()), lines.get(at));
                default -> {
                    if (lines.get(at).endsWith("}")) {
                        lines.set(at, mutated(lines.get(at), random));
                    }
                }
            }
        }
        return lines.stream().collect(Collectors.joining("\n"));
    }

    private static String mutated(String json, Random random) {
        var root = Json.MAPPER.readTree(json);
        var nodes = new ArrayList<JsonNode>();
        collect(root, nodes);
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            switch (nodes.get(random.nextInt(nodes.size()))) {
                case ObjectNode object
                when !object.isEmpty() -> {
                    var names = List.copyOf(object.propertyNames());
                    var name = names.get(random.nextInt(names.size()));
                    if (random.nextInt(4) == 0) {
                        object.remove(name);
                    } else {
                        object.set(name, any(nodes, random));
                    }
                }
                case ArrayNode array
                when !array.isEmpty() -> array.set(random.nextInt(array.size()), any(nodes, random));
                default -> {}
            }
        }
        return root.toString();
    }

    private static JsonNode any(List<JsonNode> nodes, Random random) {
        return switch (random.nextInt(12)) {
            case 0 -> JSON.nullNode();
            case 1 -> JSON.stringNode("");
            case 2 -> JSON.stringNode("\u0000 \n");
            case 3 -> JSON.numberNode(-1);
            case 4 -> JSON.numberNode(Long.MAX_VALUE);
            case 5 -> JSON.numberNode(1e300);
            case 6 -> JSON.booleanNode(true);
            case 7 -> JSON.arrayNode();
            case 8 -> JSON.objectNode();
            case 9 -> JSON.arrayNode().add(JSON.arrayNode());
            default -> nodes.get(random.nextInt(nodes.size())).deepCopy();
        };
    }

    private static void collect(JsonNode node, List<JsonNode> nodes) {
        nodes.add(node);
        node.values().forEach(child -> collect(child, nodes));
    }

    private static byte[] bytes(String path) throws IOException {
        try (var in = MutatedImportTest.class.getResourceAsStream("/samples/" + path)) {
            return Objects.requireNonNull(in, path).readAllBytes();
        }
    }
}
