package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a session is called when its name was given and `state.yaml` does not say so: it could not be written, or the
/// process was killed before.
class LostHintTest {

    private static final Scope SCOPE = Scope.LOCAL;

    /// Too long for a file name, so that the file does not tell it.
    private static final String LONG = "長長長長長長長長長長長長長長長長長長長長長長長長";

    private final Path home = TemporaryHome.inMemory();

    @ParameterizedTest
    @ValueSource(strings = {"Given", LONG})
    void the_first_name_is_not_given_again(String given) {
        var id = renamedUnnoted(null, given);

        try (var store = FileSessionStore.open(home)) {
            assertThat(store.nameFirst(SCOPE, id, alias("made-up"))).isFalse();
            assertThat(store.resolve(SCOPE, alias("made-up"))).isEmpty();
            assertThat(store.resolve(SCOPE, alias(given))).contains(id);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Given", LONG})
    void a_first_name_is_known_although_no_state_tells_it(String given) {
        var id = renamedUnnoted(null, given);

        try (var store = FileSessionStore.open(home)) {
            assertThat(nameOf(store, id)).isEqualTo(alias(given));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Given", LONG})
    void another_name_frees_the_lost_one(String given) {
        var id = renamedUnnoted(null, given);

        try (var store = FileSessionStore.open(home)) {
            store.rename(SCOPE, id, alias("newest"));
            assertThat(store.resolve(SCOPE, alias("newest"))).contains(id);
            assertThat(store.resolve(SCOPE, alias(given))).isEmpty();
        }
    }

    @Test
    void a_name_taken_away_is_taken_away_though_nobody_knew_it() {
        var id = renamedUnnoted(null, "given");

        try (var store = FileSessionStore.open(home)) {
            store.rename(SCOPE, id, null);
            assertThat(store.resolve(SCOPE, alias("given"))).isEmpty();
            assertThat(store.nameFirst(SCOPE, id, alias("made-up"))).isTrue();
        }
    }

    @Test
    void a_session_that_had_a_name_is_known_by_its_new_one_at_once() {
        var id = renamedUnnoted("old", "new");

        try (var store = FileSessionStore.open(home)) {
            assertThat(nameOf(store, id)).isEqualTo(alias("new"));
        }
    }

    @Test
    void another_process_that_knew_the_old_name_finds_the_new_one() {
        try (var other = FileSessionStore.open(home);
                var session = other.create(NewSession.in(SCOPE).named("old"))) {
            assertThat(session.state().alias()).isEqualTo(alias("old"));
            try (var store = storeWithoutStates()) {
                store.rename(SCOPE, session.id(), alias("new"));
                assertThat(session.state().alias()).isEqualTo(alias("new"));
            }
        }
        try (var store = FileSessionStore.open(home)) {
            assertThat(nameOf(store, store.resolve(SCOPE, alias("new")).orElseThrow()))
                    .isEqualTo(alias("new"));
        }
    }

    /// A session whose `state.yaml`, if any, knows only its name of before.
    private SessionId renamedUnnoted(@Nullable String before, String after) {
        SessionId id;
        try (var store = FileSessionStore.open(home)) {
            var wanted = NewSession.in(SCOPE);
            try (SessionHandle made = store.create(before == null ? wanted : wanted.named(before))) {
                id = made.id();
            }
        }
        try (var store = storeWithoutStates()) {
            store.rename(SCOPE, id, alias(after));
        }
        return id;
    }

    private FileSessionStore storeWithoutStates() {
        var disk = new ForwardingDisk(new RealDisk()) {
            @Override
            public void move(Path from, Path to) throws IOException {
                if (to.endsWith("state.yaml")) {
                    throw new IOException("no state is written here");
                }
                super.move(from, to);
            }
        };
        return FileSessionStore.open(disk, home, StoreOptions.standard());
    }

    private static @Nullable SessionAlias nameOf(FileSessionStore store, SessionId id) {
        try (var handle = store.open(SCOPE, id)) {
            return handle.state().alias();
        }
    }

    private static SessionAlias alias(String text) {
        return new SessionAlias(text);
    }
}
