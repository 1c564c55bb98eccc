package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.engine.Engine;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunRequest;
import dev.skein.engine.RunSettings;
import dev.skein.engine.Workings;
import dev.skein.live.Emitter;
import dev.skein.provider.ProviderRegistry;
import dev.skein.provider.catalog.ModelCatalog;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import dev.skein.store.file.FileSessionStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The Java program in `docs/engine.md` is this one, and it works.
@Tag("docs")
class EngineExampleTest {

    private static final Path HERE = Path.of("src/test/java/dev/skein/cli/EngineExampleTest.java");

    @TempDir
    Path home;

    @Test
    void the_program_runs_an_agent() {
        var environment = Map.<String, String>of();
        // docs begin
        var models = new ProviderRegistry(environment, ModelCatalog.builtIn());
        var settings = RunSettings.of(models.open(models.defaultModel())).withSystem("Be brief.");
        try (var store = FileSessionStore.open(home);
                var engine = new Engine(store, Workings.real());
                var session = store.openOrCreate(NewSession.in(Scope.LOCAL).named("fruit"))) {
            var context = RequestContext.of("request-1", session, settings);
            var outcome = engine.run(context, RunRequest.Prompt.text("Name a fruit"), Emitter.NONE);
            // docs end
            assertThat(outcome.status()).isEqualTo(LoopStatus.COMPLETED);
            assertThat(outcome.text()).contains("not a language model");
            assertThat(session.load().path()).hasSize(1);
        }
    }

    @Test
    void the_page_shows_it_word_for_word() throws IOException {
        var page = between(Files.readString(Path.of("../docs/engine.md")), "```java\n", "}\n```");
        var test = between(Files.readString(HERE), "// docs begin\n", "// docs end");

        assertThat(page.replace("System.getenv()", "environment").strip()).isEqualTo(test.strip());
    }

    private static String between(String text, String start, String end) {
        var from = text.indexOf(start) + start.length();
        return text.substring(from, text.indexOf(end, from))
                .lines()
                .map(String::strip)
                .collect(Collectors.joining("\n"));
    }
}
