package dev.skein.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class FailuresTest {

    private static IOException fire() {
        return new IOException("disk on fire");
    }

    static List<SkeinException> every() {
        return List.of(
                SessionNotFound.named("x"),
                new AliasInUse("work", "id"),
                new InvalidAlias("a/b", "has a slash"),
                new InvalidRequest("say what"),
                new Concurrent("id", 3, 5),
                new KeyConflict("id", "k1"),
                new SessionLocked("id", Duration.ofSeconds(2)),
                SessionLocked.lost("id"),
                new SessionDamaged("id", "2 records at byte 4711"),
                StorageFailed.io("write", fire()),
                StorageFailed.full("write", fire()),
                StorageFailed.denied("write", fire()),
                StorageFailed.unavailable("write", "it is away", "try again", fire()),
                StorageFailed.unsafe("a link leads out of the tree"),
                new UnsupportedVersion("session id", 9, 1),
                new UnreadableImport("bug.yaml", "is no YAML", fire()),
                ModelFailed.unavailable("a:b", "overloaded", Duration.ofSeconds(1), fire()),
                ModelFailed.refused("a:b", "too long", fire()),
                new Cancelled("enough"),
                new LimitReached("50 turns", "turns_max"),
                new OutputInvalid("a:b", 3, "/price is missing"),
                RagFailed.notFound("papers"),
                RagFailed.exists("papers"),
                RagFailed.locked("papers"),
                RagFailed.damaged("papers", fire()),
                RagFailed.embedding("local:small cannot embed; check its files", fire()),
                VaultFailed.notFound("GITHUB_TOKEN"),
                VaultFailed.exists("GITHUB_TOKEN"),
                VaultFailed.noKey("vault.yaml", "vault.key"),
                VaultFailed.wrongKey("vault.yaml", "vault.key"),
                VaultFailed.damaged("vault.yaml", "its seal is broken"),
                new NoSuchRoute(),
                new Unauthorized(),
                Forbidden.needs("read:sessions"),
                Forbidden.host(),
                Forbidden.origin(),
                TooManyRequests.often(Duration.ofMillis(10)),
                TooManyRequests.atOnce(Duration.ofSeconds(1)),
                TooManyRequests.busy(Duration.ofSeconds(1)),
                new RequestTooLarge("body"),
                UnsafeSettings.open("anybody could ask"),
                UnsafeSettings.invalid(List.of("port: is no number")));
    }

    @Test
    void every_failure_has_an_example_here() {
        assertThat(every().stream().map(Object::getClass).collect(Collectors.toSet()))
                .isEqualTo(Arrays.stream(SkeinException.class.getPermittedSubclasses())
                        .collect(Collectors.toSet()));
    }

    @Test
    void codes_are_distinct_and_never_change() {
        assertThat(every())
                .extracting(SkeinException::code)
                .containsExactly(
                        "session.not_found",
                        "session.alias_in_use",
                        "session.invalid_alias",
                        "request.invalid",
                        "session.concurrent",
                        "session.key_conflict",
                        "session.locked",
                        "session.lease_lost",
                        "session.damaged",
                        "store.io",
                        "store.full",
                        "store.denied",
                        "store.unavailable",
                        "store.unsafe",
                        "session.unsupported_version",
                        "import.unreadable",
                        "model.unavailable",
                        "model.refused",
                        "run.cancelled",
                        "run.limit_reached",
                        "model.output_invalid",
                        "rag.not_found",
                        "rag.exists",
                        "rag.locked",
                        "rag.damaged",
                        "rag.embedding_failed",
                        "vault.not_found",
                        "vault.exists",
                        "vault.no_key",
                        "vault.wrong_key",
                        "vault.damaged",
                        "request.not_found",
                        "auth.required",
                        "auth.forbidden",
                        "auth.host_refused",
                        "auth.origin_refused",
                        "limit.rate",
                        "limit.at_once",
                        "limit.server_busy",
                        "request.too_large",
                        "settings.unsafe",
                        "settings.invalid")
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("every")
    void a_failure_says_what_happened(SkeinException failure) {
        assertThat(failure.getMessage()).isNotBlank().doesNotContain("null");
        assertThat(failure.kind()).isNotNull();
        assertThat(failure.code()).matches("[a-z]+\\.[a-z_]+");
    }

    @Test
    void a_storage_failure_keeps_its_cause() {
        assertThat(StorageFailed.io("write", fire()))
                .hasCauseInstanceOf(IOException.class)
                .hasMessageContaining("disk on fire");
        assertThat(StorageFailed.io("write", new IOException())).hasMessageContaining("IOException");
    }

    @Test
    void a_conflict_tells_the_current_version() {
        assertThat(new Concurrent("id", 3, 5).current()).isEqualTo(5);
    }

    @Test
    void a_deleted_session_is_not_found() {
        assertThat(SessionNotFound.deleted("x").kind()).isEqualTo(FailureKind.NOT_FOUND);
        assertThat(SessionNotFound.deleted("x").code())
                .isEqualTo(SessionNotFound.named("x").code());
    }

    @ParameterizedTest
    @EnumSource
    void kinds_print_in_lower_case(FailureKind kind) {
        assertThat(kind).hasToString(kind.name().toLowerCase(Locale.ROOT));
    }
}
