package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Message;
import dev.skein.session.Exchange;
import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.store.NewSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The Java program in `README.md` is this one, and it works.
@Tag("docs")
class ReadmeExampleTest {

    private static final Path HERE = Path.of("src/test/java/dev/skein/store/file/ReadmeExampleTest.java");
    private static final Pattern IN_README = Pattern.compile("```java\n(.+?)```", Pattern.DOTALL);
    private static final Pattern IN_TEST = Pattern.compile("// README begins\n(.+?) *// README ends", Pattern.DOTALL);

    @TempDir
    Path home;

    @Test
    void the_program_makes_a_session() {
        // README begins
        var clock = Clock.systemUTC();
        try (var store = FileSessionStore.open(home);
                var session = store.openOrCreate(NewSession.in(Scope.LOCAL).named("fruit"))) {
            var ids = new Ids(clock, new SecureRandom());
            session.append(Exchange.of(ids, clock.instant(), session.state().head(), "Name a fruit", "Plum"));
        }
        // README ends

        try (var store = FileSessionStore.open(home)) {
            var id = store.resolve(Scope.LOCAL, new SessionAlias("fruit")).orElseThrow();
            try (var session = store.open(Scope.LOCAL, id)) {
                assertThat(session.context(10).messages().stream().map(Message::text))
                        .containsExactly("Name a fruit", "Plum");
            }
        }
    }

    @Test
    void the_readme_shows_it_word_for_word() throws IOException {
        assertThat(excerpt(IN_README, Path.of("../README.md"))).isEqualTo(excerpt(IN_TEST, HERE));
    }

    private static String excerpt(Pattern pattern, Path file) throws IOException {
        var matcher = pattern.matcher(Files.readString(file));
        assertThat(matcher.find()).as("an example in " + file).isTrue();
        var lines = matcher.group(1).stripTrailing().stripIndent().lines();
        return lines.filter(line -> !line.startsWith("import ")).collect(Collectors.joining("\n"));
    }
}
