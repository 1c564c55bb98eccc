package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Entry;
import dev.skein.session.Ids;
import dev.skein.session.LoopId;
import dev.skein.session.LoopList;
import dev.skein.session.LoopRecord;
import dev.skein.session.Scope;
import dev.skein.session.Session;
import dev.skein.session.SessionId;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import dev.skein.store.memory.MemorySessionStore;
import dev.skein.wire.Json;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Pages cost what they show: counted in events that the store had to hand over.
class PagingTest {

    private static final int LOOPS = 200;

    private final AtomicLong handedOver = new AtomicLong();
    private TestServer server;
    private Client ann;

    @BeforeEach
    void start() {
        var store = new MemorySessionStore(Clock.systemUTC(), new Ids(Clock.systemUTC(), new Random(4)));
        server = new TestServer(TestServer.OPTIONS, counting(store), true, Duration.ofSeconds(30));
        ann = server.client("ann");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void reading_all_pages_reads_the_journal_about_twice_and_a_later_page_only_what_it_shows() {
        var id = ann.create("{}");
        for (int i = 0; i < LOOPS; i++) {
            ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"say " + i + "\"}")
                    .is(200);
        }
        var events = load(id).entries().size();

        handedOver.set(0);
        var said = new ArrayList<String>();
        pages(
                "/v1/sessions/" + id + "/messages?limit=4",
                "messages",
                message -> said.add(message.path("parts").path(0).path("text").asString()));
        assertThat(said)
                .hasSize(2 * LOOPS)
                .startsWith("say 0", "0", "say 1", "1")
                .endsWith("199");
        assertThat(handedOver.get()).isLessThan(3L * events);

        handedOver.set(0);
        var loops = new ArrayList<String>();
        pages(
                "/v1/sessions/" + id + "/loops?limit=7",
                "loops",
                loop -> loops.add(loop.path("id").asString()));
        assertThat(loops).hasSize(LOOPS).doesNotHaveDuplicates();
        assertThat(handedOver.get()).isZero();

        ann.get("/v1/sessions/" + id + "/messages?limit=4&cursor=300").is(200);
        ann.get("/v1/sessions/" + id + "/tree").is(200);
        assertThat(handedOver.get()).isLessThan(100);
    }

    @Test
    void what_pages_tell_is_what_the_whole_session_tells() {
        var id = ann.create("{}");
        var session = "/v1/sessions/" + id;
        for (var prompt : List.of("one", "look two", "both three")) {
            ann.post(session + "/completions", "{\"prompt\":\"" + prompt + "\"}")
                    .is(200);
            assertSame(id);
        }
        ann.post(session + "/approvals/call-act-three", "{\"approved\":true}").is(200);
        ann.post(session + "/continue", "{}").is(200);
        assertSame(id);
        ann.post(session + "/regenerate", "{}").is(200);
        assertSame(id);
        ann.post(session + "/approvals/call-act-three", "{\"approved\":false}").is(200);
        ann.post(session + "/continue", "{}").is(200);
        ann.post(session + "/parallel", "{\"prompt\":\"look four\",\"branches\":[{},{},{}]}")
                .is(200);
        assertSame(id);
        ann.post(session + "/undo", "{}").is(200);
        assertSame(id);
        ann.post(session + "/completions", "{\"prompt\":\"fail\"}").is(502);
        ann.post(session + "/completions", "{\"prompt\":\"say " + "long ".repeat(100) + "\"}")
                .is(200);
        assertSame(id);
        var fork = ann.post(session + "/fork", "{}").is(201).text("id");
        ann.post("/v1/sessions/" + fork + "/completions", "{\"prompt\":\"in the fork\"}")
                .is(200);
        assertSame(fork);
        ann.post(session + "/empty", "{}").is(200);
        assertSame(id);
    }

    private void assertSame(String id) {
        var whole = load(id);
        var tree = ann.get("/v1/sessions/" + id + "/tree").is(200).json();
        assertThat(withoutWords(tree)).isEqualTo(withoutWords(asSent(LoopList.of(whole))));
        var heads = new ArrayList<String>();
        tree.path("loops").forEach(loop -> heads.add("&loop=" + loop.path("id").asString()));
        heads.add("");
        for (var head : heads) {
            var path = head.isEmpty() ? whole.path() : whole.pathTo(new LoopId(head.substring("&loop=".length())));
            var expected = path.stream()
                    .map(LoopRecord::messages)
                    .flatMap(List::stream)
                    .map(PagingTest::asSent)
                    .toList();
            var paged = new ArrayList<JsonNode>();
            pages("/v1/sessions/" + id + "/messages?limit=3" + head, "messages", paged::add);
            assertThat(paged).isEqualTo(expected);
        }
    }

    private static JsonNode asSent(Object value) {
        return Json.MAPPER.readTree(Json.MAPPER.writeValueAsBytes(value));
    }

    /// Lists show only the beginning of what was asked.
    private static JsonNode withoutWords(JsonNode tree) {
        var plain = tree.deepCopy();
        plain.path("loops").forEach(loop -> {
            var words = loop.path("first_message").asString("");
            ((ObjectNode) loop).put("first_message", words.substring(0, Math.min(200, words.length())));
        });
        return plain;
    }

    private void pages(String path, String list, Consumer<JsonNode> each) {
        var cursor = "";
        do {
            var page = ann.get(path + cursor).is(200).json();
            page.path(list).forEach(each);
            cursor = page.has("next_cursor")
                    ? "&cursor=" + page.path("next_cursor").asString()
                    : "";
        } while (!cursor.isEmpty());
    }

    private Session load(String id) {
        try (var session =
                server.store.open(Scope.ofOwner("ann"), SessionId.parse(id).orElseThrow())) {
            return session.load();
        }
    }

    /// Counts the events that readers are given.
    private SessionStore counting(SessionStore store) {
        return proxy(SessionStore.class, store, (method, arguments) -> {
            var result = call(store, method, arguments);
            return result instanceof SessionHandle handle ? counting(handle) : result;
        });
    }

    private SessionHandle counting(SessionHandle handle) {
        return proxy(SessionHandle.class, handle, (method, arguments) -> {
            if (method.getName().equals("read") && method.getParameterCount() == 2) {
                handle.read((long) arguments[0], entry -> {
                    handedOver.incrementAndGet();
                    @SuppressWarnings("unchecked")
                    var each = (Consumer<Entry>) arguments[1];
                    each.accept(entry);
                });
                return null;
            }
            var result = call(handle, method, arguments);
            if (method.getName().equals("load") && result instanceof Session whole) {
                handedOver.addAndGet(whole.entries().size());
            }
            if (result instanceof Optional<?> found && found.isPresent() && found.get() instanceof LoopRecord record) {
                handedOver.addAndGet(record.events().size());
            }
            return result;
        });
    }

    private interface Answering {
        Object answer(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, T target, Answering answering) {
        return type.cast(Proxy.newProxyInstance(
                target.getClass().getClassLoader(),
                new Class<?>[] {type},
                (_, method, arguments) -> answering.answer(method, arguments)));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
