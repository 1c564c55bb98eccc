package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.failure.SkeinException;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SearchQuery;
import dev.skein.store.SessionSummary;
import dev.skein.testkit.Events;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// Damages one file of a real tree after the other, at random but by seed, and uses everything in it: only Skein's
/// failures come out, nothing hangs, what is sound stays usable, and no damaged original is lost.
class CorruptionTest {

    private static final Scope SCOPE = Scope.LOCAL;
    private static final Scope AGENT = SCOPE.withAgent("coder");
    private static final List<String> NAMES = List.of("alpha", "beta", "gamma");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void no_damage_spreads_or_hangs_or_destroys() throws Exception {
        var seeds = Integer.getInteger("skein.seeds", 80);
        var met = new LinkedHashMap<String, Integer>();
        var complaints = new ArrayList<String>();
        for (int seed = 0; seed < seeds; seed++) {
            complaints.addAll(new Run(seed, met).run());
        }
        assertThat(complaints).isEmpty();
        assertThat(met.keySet())
                .as("every kind of file was damaged")
                .contains(
                        "journal.jsonl",
                        "state.yaml",
                        "lock",
                        "name",
                        "index.json",
                        "last_session",
                        "marker",
                        "legacy");
    }

    /// That the test can fail: a hang is noticed.
    @Test
    void a_hang_is_noticed() {
        var stuck = new java.util.concurrent.CountDownLatch(1);

        assertThat(outcomeWithin(Duration.ofMillis(50), () -> {
                    stuck.await();
                    return true;
                }))
                .isEqualTo("hangs");
    }

    private static String outcomeWithin(Duration patience, Callable<?> action) {
        var task = new FutureTask<>(action);
        var thread = Thread.ofPlatform().daemon().start(task);
        try {
            task.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return "ok";
        } catch (TimeoutException _) {
            thread.interrupt();
            return "hangs";
        } catch (ExecutionException e) {
            return e.getCause() instanceof SkeinException failure ? failure.code() : trace(e.getCause());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String trace(Throwable cause) {
        return cause + " at "
                + List.of(cause.getStackTrace()).stream().limit(12).toList();
    }

    /// One seed: a fresh tree, one damage, everything used.
    private static final class Run {
        private final long seed;
        private final Map<String, Integer> met;
        private final Random random;
        private final Path home = TemporaryHome.inMemory();
        private final Path outside = TemporaryHome.inMemory();
        private final Layout layout = Layout.of(home, SCOPE);
        private final Map<String, SessionId> sessions = new LinkedHashMap<>();
        private final List<String> complaints = new ArrayList<>();
        private String damage = "";
        private Path damaged = home;

        Run(long seed, Map<String, Integer> met) {
            this.seed = seed;
            this.met = met;
            this.random = new Random(seed);
        }

        /// What was wrong.
        List<String> run() throws Exception {
            build();
            var victim = pick();
            met.merge(kindOf(victim), 1, Integer::sum);
            damaged = victim;
            damage = new Damage(random, outside).of(victim);
            var content = Files.isRegularFile(victim) ? Files.readAllBytes(victim) : new byte[0];
            var untouched = Damage.fingerprint(outside);

            useEverything();

            if (isTruth(victim) && content.length > 0) {
                check("the damaged original is kept", Damage.isSomewhere(home, outside, content));
            }
            check("nothing outside was written", Damage.fingerprint(outside).equals(untouched));
            var what = "seed %d, %s, %s: ".formatted(seed, damage, home.relativize(victim));
            TemporaryHome.delete(home);
            TemporaryHome.delete(outside);
            return complaints.stream().map(what::concat).toList();
        }

        private void build() throws Exception {
            var events = new Events(Clock.systemUTC(), seed);
            Files.createDirectories(layout.sessions());
            Files.writeString(
                    layout.sessions().resolve("old.yaml"), "model: m:x\nmessages:\n- role: user\n  content: hi\n");
            Files.setLastModifiedTime(
                    layout.sessions().resolve("old.yaml"),
                    java.nio.file.attribute.FileTime.from(
                            Clock.systemUTC().instant().plusSeconds(60)));
            Files.writeString(layout.sessions().resolve("older.yaml"), "model: m:x\nmessages: []\n");
            try (var store = FileSessionStore.open(home)) {
                store.create(NewSession.in(SCOPE).named("trashed"));
                for (var name : NAMES) {
                    try (var handle = store.create(NewSession.in(SCOPE).named(name))) {
                        handle.append(events.exchange(null, "word of " + name, "answer"));
                        handle.append(events.exchange(handle.state().head(), "more of " + name, "answer"));
                        sessions.put(name, handle.id());
                    }
                }
                var fork = store.fork(
                        SCOPE, sessions.get("alpha"), 4, NewSession.in(SCOPE).named("fork"));
                fork.append(events.exchange(null, "word of fork", "answer"));
                sessions.put("fork", fork.id());
                store.create(NewSession.in(AGENT).named("agents"));
                sessions.put(
                        "old", store.resolve(SCOPE, new SessionAlias("old")).orElseThrow());
                store.list(ListQuery.ofOwner(SCOPE.owner()));
                store.purge(PurgeQuery.keeping(SCOPE, 5));
            }
        }

        private Path pick() throws Exception {
            try (var walk = Files.walk(home)) {
                var all = walk.filter(path -> !path.equals(home)).sorted().toList();
                var files = all.stream().filter(Files::isRegularFile).toList();
                return random.nextInt(6) == 0
                        ? all.get(random.nextInt(all.size()))
                        : files.get((int) (seed % files.size()));
            }
        }

        private String kindOf(Path path) {
            var above = String.valueOf(
                    path.getParent() == null ? "" : path.getParent().getFileName());
            return switch (above) {
                case "by-name" -> "name";
                case "migrated" -> "marker";
                default ->
                    path.toString().endsWith("old.yaml") || path.toString().endsWith("older.yaml")
                            ? "legacy"
                            : String.valueOf(path.getFileName());
            };
        }

        private static boolean isTruth(Path path) {
            var name = String.valueOf(path.getFileName());
            return name.equals("journal.jsonl")
                    || (name.endsWith(".yaml")
                            && path.resolveSibling("by-id").toFile().exists());
        }

        private void useEverything() {
            var opened = new ArrayList<FileSessionStore>();
            attempt("open the store", () -> opened.add(FileSessionStore.open(home)));
            if (opened.isEmpty()) {
                return;
            }
            try (var store = opened.getFirst()) {
                listing(store);
                attempt("search", () -> {
                    store.search(SearchQuery.of(SCOPE.owner(), "word"), _ -> {});
                    return true;
                });
                attempt("last", () -> store.last(SCOPE));
                attempt("resolve legacy", () -> store.resolve(SCOPE, new SessionAlias("older")));
                sessions.forEach((name, id) -> use(store, name, id));
                attempt("create", () -> store.create(NewSession.in(SCOPE)).id());
                attempt("migrate", () -> store.migrateAll(SCOPE.owner()));
                listing(store);
                attempt("retention", () -> {
                    store.applyRetention();
                    return true;
                });
                attempt("purge", () -> store.purge(PurgeQuery.keeping(SCOPE, 4)));
                sessions.forEach((name, id) -> {
                    if (!touches(id) && !isTruth(damaged)) {
                        attempt("delete " + name, () -> {
                            store.delete(SCOPE, id);
                            return true;
                        });
                    }
                });
            }
        }

        private void use(FileSessionStore store, String name, SessionId id) {
            var events = new Events(Clock.systemUTC(), seed + 1);
            var sound = isSound(id);
            var results = new LinkedHashMap<String, String>();
            results.put("open", outcome("open", () -> store.open(SCOPE, id)));
            results.put("state", outcome("state", () -> store.open(SCOPE, id).state()));
            results.put("read", outcome("read", () -> store.open(SCOPE, id).read(1)));
            results.put(
                    "context", outcome("context", () -> store.open(SCOPE, id).context(10)));
            results.put(
                    "append",
                    outcome("append", () -> store.open(SCOPE, id).append(events.exchange(null, "again", "answer"))));
            var naming = outcome("rename", () -> {
                store.rename(SCOPE, id, new SessionAlias(name + "-renamed"));
                return true;
            });
            if (sound) {
                results.forEach(
                        (step, result) -> check(step + " of sound " + name + ": " + result, result.equals("ok")));
                check("rename of sound " + name + ": " + naming, naming.equals("ok") || touchesNames());
            }
        }

        private void listing(FileSessionStore store) {
            var listed = new ArrayList<SessionId>();
            var result = outcome(
                    "list",
                    () -> listed.addAll(store.list(ListQuery.ofOwner(SCOPE.owner())).sessions().stream()
                            .map(SessionSummary::id)
                            .filter(java.util.Objects::nonNull)
                            .toList()));
            check("list: " + result, result.equals("ok") || touchesTree());
            sessions.forEach((name, id) ->
                    check("sound " + name + " is listed", !isSound(id) || touchesTree() || listed.contains(id)));
        }

        private String outcome(String step, Callable<?> action) {
            var result = outcomeWithin(PATIENCE, action);
            if (result.equals("hangs") || result.contains(" at [")) {
                complaints.add(step + " " + result);
            }
            return result;
        }

        private void attempt(String step, Callable<?> action) {
            var _ = outcome(step, action);
        }

        private void check(String promise, boolean kept) {
            if (!kept) {
                complaints.add(promise);
            }
        }

        private boolean touches(SessionId id) {
            return damaged.startsWith(layout.session(id));
        }

        /// What is needed to use a session is untouched: its directory, its parent's, and the directories above.
        /// `state.yaml` and the notes on forks are not needed.
        private boolean isSound(SessionId id) {
            var name = String.valueOf(damaged.getFileName());
            var derived = name.equals("state.yaml");
            var ofParent = id.equals(sessions.get("fork")) && touches(sessions.get("alpha"));
            return !touchesTree() && (derived || !(touches(id) || ofParent));
        }

        private boolean touchesTree() {
            return Set.of(layout.sessions(), layout.byId(), home.resolve("agents"))
                    .contains(damaged);
        }

        private boolean touchesNames() {
            return damaged.startsWith(layout.byName())
                    || damaged.equals(layout.namesLock())
                    || damaged.startsWith(layout.sessions().resolve("migrated"));
        }
    }
}
