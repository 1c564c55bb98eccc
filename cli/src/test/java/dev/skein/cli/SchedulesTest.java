package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `skein schedule`, on the morning of a Monday in Berlin.
class SchedulesTest {

    @TempDir
    Path home;

    private Cli cli;

    @BeforeEach
    void start() {
        cli = new Cli(home);
        at("2026-11-16T08:30:00Z");
    }

    private void at(String moment) {
        cli.clock = Clock.fixed(Instant.parse(moment), ZoneId.of("Europe/Berlin"));
    }

    /// Its file says when it was written by a clock of its own.
    private void written(String name, String moment) throws IOException {
        Files.setLastModifiedTime(file(name), FileTime.from(Instant.parse(moment)));
    }

    private Path file(String name) {
        return home.resolve("schedules").resolve(name + ".yaml");
    }

    @Test
    void one_that_is_added_is_listed_shown_and_removed() throws IOException {
        assertThat(cli.run("schedule", "list").out()).contains("no schedules yet");
        var added = cli.run("schedule", "add", "brief", "--cron", "0 9 * * MON-FRI", "What", "is", "new?");
        assertThat(added.err()).isEmpty();
        assertThat(added.out()).contains("added 'brief'; it is due next at 2026-11-17 09:00");
        assertThat(Files.readString(file("brief"))).isEqualTo("""
                cron: "0 9 * * MON-FRI"
                zone: "Europe/Berlin"
                prompt: "What is new?"
                """);

        assertThat(cli.run("schedule", "list").out()).contains("brief", "2026-11-17 09:00", "What is new?");
        var shown = cli.run("schedule", "show", "brief", "--json").json();
        assertThat(shown.path("next").asString()).isEqualTo("2026-11-17T08:00:00Z");
        assertThat(shown.path("session").asString()).isEqualTo("brief");
        assertThat(cli.run("completion", "--words", "schedules").out()).contains("brief");

        assertThat(cli.run("schedule", "add", "brief", "--cron", "@daily", "x").err())
                .contains("there is a schedule 'brief' already");
        assertThat(cli.run("schedule", "remove", "brief", "--json")
                        .json()
                        .path("removed")
                        .asString())
                .isEqualTo("brief");
        var gone = cli.run("schedule", "show", "brief", "--json");
        assertThat(gone.code()).isEqualTo(3);
        assertThat(gone.errorJson().at("/error/code").asString()).isEqualTo("schedule.not_found");
    }

    @Test
    void one_that_is_run_tells_how_that_ended_from_its_session() throws IOException {
        cli.run("schedule", "add", "brief", "--cron", "0 9 * * *", "Name a fruit");
        written("brief", "2026-11-15T12:00:00Z");
        assertThat(cli.run("schedule", "list").out()).contains("missed 30 min ago");

        var ran = cli.run("schedule", "run", "brief");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("You said: Name a fruit");
        assertThat(cli.run("schedule", "list").out())
                .contains("completed just now")
                .doesNotContain("missed");
        assertThat(cli.session("show", "brief").out()).contains("Name a fruit");

        cli.run("schedule", "add", "fresh", "--new-session", "--cron", "0 9 * * *", "Name another");
        cli.run("schedule", "run", "fresh");
        assertThat(cli.session("list").out()).contains("fresh-20261116T083000Z");
        assertThat(cli.run("schedule", "show", "fresh").out()).contains("a new one each time", "completed");
    }

    @Test
    void one_is_switched_off_and_on_and_the_rest_of_its_file_stays() throws IOException {
        Files.createDirectories(home.resolve("schedules"));
        Files.writeString(file("mine"), "# every day\nat: 2026-12-24 18:00\nprompt: |\n  Sing.\n  Loud.\n");
        assertThat(cli.run("schedule", "disable", "mine").out()).contains("disabled 'mine'");
        assertThat(cli.run("schedule", "list").out()).contains("once", "disabled");
        assertThat(cli.run("schedule", "enable", "mine", "--json")
                        .json()
                        .path("enabled")
                        .asString())
                .isEqualTo("mine");
        assertThat(cli.run("schedule", "list").out()).contains("2026-12-24 18:00");
        assertThat(Files.readString(file("mine"))).startsWith("# every day\n").endsWith("enabled: true\n");

        var ended = "cron: '@daily'\nprompt: Sing\n...\n";
        Files.writeString(file("ended"), ended);
        var refused = cli.run("schedule", "disable", "ended");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("'enabled: false' does not fit into", "write it there yourself");
        assertThat(Files.readString(file("ended"))).isEqualTo(ended);
    }

    @Test
    void all_that_is_wrong_with_a_file_is_told_with_its_lines_and_is_nothing_to_others() throws IOException {
        cli.run("schedule", "add", "good", "--cron", "@hourly", "hello");
        Files.writeString(file("bad"), """
                cron: 61 * * * *
                zone: Berlin
                promt: hello
                session: a/b
                make_up: soon
                enabled: maybe
                """);
        Files.writeString(
                file("both"), "cron: '@daily'\nat: 2026-12-24T18:00\nprompt: x\nsession: s\nnew_session: true\n");
        var listed = cli.run("schedule", "list");

        assertThat(listed.out()).contains("good").doesNotContain("bad");
        assertThat(listed.err())
                .contains(
                        "bad.yaml, line 1: cron: the minute '61' cannot be understood: '61' is not from 0 to 59",
                        "bad.yaml, line 2: zone: 'Berlin' is no time zone",
                        "bad.yaml, line 3: promt: is no setting; did you mean 'prompt'?",
                        "bad.yaml, line 4: session:",
                        "bad.yaml, line 5: make_up: 'soon' is not a time like 30m, 12h or 2d",
                        "bad.yaml, line 6: enabled: is true or false",
                        "bad.yaml: prompt: says what is said",
                        "both.yaml, line 1: cron: says when",
                        "both.yaml, line 5: new_session: and 'session' exclude each other");
        assertThat(cli.run("schedule", "list", "--json").json().path("problems").size())
                .isEqualTo(9);
        assertThat(cli.run("schedule", "run", "bad").err()).contains("bad.yaml, line 1: cron");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            --cron 0,0,31,2,*                     | '0 0 31 2 *' is never due
            --cron 0,9,*,*                        | has 4 fields, not five
            --at 2026-11-16T09:29                 | is past (Europe/Berlin); name a time to come
            --at tomorrow                         | 'tomorrow' is no time; write one such as 2026-12-24T18:00
            --cron @daily --at 2026-12-24T18:00   | say when: either --cron EXPRESSION or --at TIME
            --session x                           | say when: either --cron EXPRESSION or --at TIME
            --cron @daily --zone Mars             | 'Mars' is no time zone
            --cron @daily --role poet             | there is no role 'poet'; there are none yet
            --cron @daily --agent ghost           | there is no agent 'ghost'
            --cron @daily --make-up 8d            | '8d' is more than 7d
            --cron @daily --session a/b           | a/b
            --cron @daily --session s --new-session | exclude each other
            """)
    void what_cannot_be_is_refused_and_nothing_is_written(String options, String reason) {
        var args = ("schedule add it " + options).split(" ");
        for (int i = 0; i < args.length; i++) {
            args[i] = args[i].replace(',', ' ');
        }
        var all = Arrays.copyOf(args, args.length + 1);
        all[args.length] = "hello";
        var ran = cli.run(all);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(reason);
        assertThat(file("it")).doesNotExist();
    }

    @Test
    void a_name_cannot_lead_elsewhere() {
        var ran = cli.run("schedule", "add", "../config", "--cron", "@daily", "x");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("'../config' is no name for a schedule");
        assertThat(cli.run("schedule", "remove", "../config").code()).isEqualTo(3);
    }
}
