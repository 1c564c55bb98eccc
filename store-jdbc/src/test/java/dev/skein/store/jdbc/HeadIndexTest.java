package dev.skein.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Scope;
import dev.skein.session.SessionEvent.SessionDescribed;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SessionSummary;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// By what heads are kept in order, see decision 0033.
class HeadIndexTest {

    private static final Scope SCOPE = Scope.LOCAL;
    private static final Instant NOON = Instant.parse("2100-01-01T12:00:00Z");

    enum Kind {
        SQLITE,
        POSTGRES;

        String url() {
            return this == SQLITE ? TestDatabases.sqlite() : TestDatabases.postgres();
        }
    }

    @ParameterizedTest
    @EnumSource
    void sessions_of_the_same_minute_and_of_others_are_listed_newest_first_page_by_page(Kind kind) {
        try (var store = JdbcSessionStore.open(kind.url(), JdbcOptions.standard())) {
            var newestFirst = filled(store);

            for (int size = 1; size <= newestFirst.size(); size++) {
                assertThat(listed(store, size)).as("pages of %d", size).isEqualTo(newestFirst);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void tables_of_the_version_before_are_brought_up_to_date(Kind kind) throws SQLException {
        var url = kind.url();
        List<SessionId> newestFirst;
        try (var store = JdbcSessionStore.open(url, JdbcOptions.standard())) {
            newestFirst = filled(store);
        }
        execute(
                url,
                "DROP INDEX skein_head_newest",
                "ALTER TABLE skein_head DROP COLUMN minute",
                "CREATE INDEX skein_head_newest ON skein_head (owner, activity DESC, id) WHERE life = 'live'",
                "UPDATE skein_schema SET version = 2");

        try (var store = JdbcSessionStore.open(url, JdbcOptions.standard())) {
            assertThat(listed(store, 2)).isEqualTo(newestFirst);
        }
    }

    /// A row is changed in place only if no index has a column that changes.
    @ParameterizedTest
    @EnumSource(names = "POSTGRES")
    void no_index_of_a_head_has_what_every_append_changes(Kind kind) throws SQLException {
        var url = kind.url();
        JdbcSessionStore.open(url, JdbcOptions.standard()).close();

        assertThat(texts(
                        url,
                        "SELECT DISTINCT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid"
                                + " AND a.attnum = ANY (i.indkey) WHERE i.indrelid = 'skein_head'::regclass"))
                .containsExactlyInAnyOrder("session", "owner", "minute");
    }

    /// Whatever PostgreSQL knows about the table so far.
    @ParameterizedTest
    @EnumSource(names = "POSTGRES")
    void an_append_looks_at_no_head_but_its_own(Kind kind) throws SQLException {
        var url = kind.url();
        try (var store = JdbcSessionStore.open(url, JdbcOptions.standard())) {
            filled(store);
        }

        assertThat(texts(
                        url + "&options=-c%20enable_seqscan=off",
                        "EXPLAIN UPDATE skein_head SET version = version + 1"
                                + " WHERE session = '01900000-0000-7000-8000-000000000001' AND version = 7"
                                + " AND life = 'live'"))
                .anyMatch(line -> line.contains("skein_head_pkey"))
                .noneMatch(line -> line.contains("skein_head_newest"));
    }

    /// Some of the same minute, some of others.
    private static List<SessionId> filled(JdbcSessionStore store) {
        var newestFirst = new ArrayList<SessionId>();
        for (var second : List.of(0, 1, 59, 60, 61, 119, 120, 600)) {
            try (var session = store.create(NewSession.in(SCOPE))) {
                session.append(List.of(new SessionDescribed(NOON.plusSeconds(second), "at " + second)));
                newestFirst.addFirst(session.id());
            }
        }
        return newestFirst;
    }

    private static List<SessionId> listed(JdbcSessionStore store, int size) {
        var ids = new ArrayList<SessionId>();
        String cursor = null;
        do {
            var page = store.list(ListQuery.of(SCOPE).withLimit(size).after(cursor));
            page.sessions().stream().map(SessionSummary::id).forEach(ids::add);
            cursor = page.nextCursor();
        } while (cursor != null);
        return ids;
    }

    private static void execute(String url, String... statements) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:" + url);
                var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static List<String> texts(String url, String sql) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:" + url);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            var found = new ArrayList<String>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }
}
