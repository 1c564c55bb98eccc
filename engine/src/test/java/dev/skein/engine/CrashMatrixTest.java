package dev.skein.engine;

import static dev.skein.testkit.ScriptedModel.asks;
import static dev.skein.testkit.ScriptedModel.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.InvalidRequest;
import dev.skein.live.Emitter;
import dev.skein.live.RunOutcome;
import dev.skein.message.Message;
import dev.skein.message.Role;
import dev.skein.session.Ids;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.memory.MemorySessionStore;
import dev.skein.testkit.MutableClock;
import dev.skein.testkit.ScriptedModel;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// For every write of a run: a crash just before it and just after it leaves a session that ends as if nothing had
/// happened, but for calls whose outcome nobody knows.
class CrashMatrixTest {

    private static final int APPENDS_OF_A_RUN = 9;

    private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemorySessionStore store = new MemorySessionStore(clock, new Ids(clock, new Random(1)));
    private final Random random = new Random(2);
    private final ScriptedModel model = ScriptedModel.ofLines(List.of(
            List.of(says("Let me look."), asks("read", "a")), List.of(asks("write", "b")), List.of(says("All done."))));

    @ParameterizedTest
    @EnumSource
    void a_crash_around_any_write_leaves_a_session_that_ends_the_same(DoomedHandle.Moment moment) {
        var undisturbed = conversation(store.create(NewSession.in(Scope.LOCAL)), new Tools());

        for (int append = 1; append <= APPENDS_OF_A_RUN; append++) {
            var session = store.create(NewSession.in(Scope.LOCAL));
            var tools = new Tools();
            var doomed = new DoomedHandle(session, append, moment);
            assertThatThrownBy(() -> run(doomed, tools, RunRequest.Prompt.text("Go.")))
                    .as("append %d, %s", append, moment)
                    .isInstanceOf(DoomedHandle.Crash.class);

            carryOn(session, tools);

            assertThat(texts(session)).as("append %d, %s", append, moment).satisfies(texts -> {
                assertThat(texts.getLast()).isEqualTo("All done.");
                assertThat(texts).hasSameSizeAs(undisturbed);
                assertThat(withoutUnknown(texts)).isSubsetOf(undisturbed);
            });
            assertThat(tools.write.runs()).as("append %d, %s", append, moment).hasSizeLessThanOrEqualTo(1);
            assertThat(everyCallHasItsResult(session)).isTrue();
            assertThat(session.load().loops()).allMatch(loop -> loop.status().ended());
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_tool_that_may_be_repeated_is(DoomedHandle.Moment moment) {
        for (int append = 1; append <= APPENDS_OF_A_RUN; append++) {
            var session = store.create(NewSession.in(Scope.LOCAL));
            var tools = new Tools(
                    TestTool.answering("read").repeatable(),
                    TestTool.answering("write").repeatable());
            var doomed = new DoomedHandle(session, append, moment);
            assertThatThrownBy(() -> run(doomed, tools, RunRequest.Prompt.text("Go.")))
                    .isInstanceOf(DoomedHandle.Crash.class);

            carryOn(session, tools);

            assertThat(texts(session))
                    .as("append %d, %s", append, moment)
                    .containsExactly("Go.", "Let me look.", "read of a", "", "write of b", "All done.");
        }
    }

    /// What a person would do after a crash: say it again if it was lost, else continue.
    private void carryOn(SessionHandle session, Tools tools) {
        try {
            run(session, tools, new RunRequest.Continue());
        } catch (InvalidRequest e) {
            if (String.valueOf(e.getMessage()).contains("empty")) {
                run(session, tools, RunRequest.Prompt.text("Go."));
            } else {
                assertThat(e).hasMessageContaining("complete");
            }
        }
        assertThat(session.load().path().getLast().status()).isEqualTo(LoopStatus.COMPLETED);
    }

    private List<String> conversation(SessionHandle session, Tools tools) {
        run(session, tools, RunRequest.Prompt.text("Go."));
        return texts(session);
    }

    private RunOutcome run(SessionHandle session, Tools tools, RunRequest request) {
        var engine = new Engine(store, Workings.of(clock, random, (_, _) -> {}));
        var settings = RunSettings.of(model).withTools(tools.read, tools.write);
        return engine.run(RequestContext.of("r", session, settings), request, Emitter.NONE);
    }

    private static List<String> texts(SessionHandle session) {
        return session.context(100).messages().stream().map(Message::text).toList();
    }

    private static List<String> withoutUnknown(List<? extends String> texts) {
        return texts.stream()
                .<String>map(text -> text)
                .filter(text -> !text.contains("may or may not"))
                .toList();
    }

    private static boolean everyCallHasItsResult(SessionHandle session) {
        var messages = session.context(100).messages();
        var calls = messages.stream()
                .mapToInt(message -> message.toolCalls().size())
                .sum();
        var results =
                messages.stream().filter(message -> message.role() == Role.TOOL).count();
        return calls == results;
    }

    private record Tools(TestTool read, TestTool write) {
        Tools() {
            this(TestTool.answering("read"), TestTool.answering("write"));
        }
    }
}
