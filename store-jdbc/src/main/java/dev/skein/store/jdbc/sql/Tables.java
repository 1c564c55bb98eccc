package dev.skein.store.jdbc.sql;

import java.util.List;

/// The tables, in SQL that both databases understand but for the names of types.
///
/// `skein_session` says what a session is and what it is called, and changes rarely. `skein_head` is the one small
/// row that an append changes: its version, its lease. `skein_event` is the truth and only grows. The others are
/// derived.
final class Tables {

    private Tables() {}

    /// Version 4: who changes the activity also changes the minute. PostgreSQL reads the formula of a computed column
    /// again for every statement that changes a row, which was a fifth of what an append cost there.
    static List<String> fourth() {
        return List.of(
                "DROP INDEX skein_head_newest",
                "ALTER TABLE skein_head DROP COLUMN minute",
                "ALTER TABLE skein_head ADD COLUMN minute bigint",
                "UPDATE skein_head SET minute = activity / 60000000000 WHERE life = 'live'",
                "CREATE INDEX skein_head_newest ON skein_head (owner, minute DESC) WHERE minute IS NOT NULL");
    }

    /// Version 3: listings are in order by the minute, which an append seldom changes. An index on the time
    /// itself had to be changed by every append, and with it all indexes of the head. Only sessions that are
    /// listed have a minute, and the index asks for just that: with `life` in its condition it seemed to fit a
    /// question about one session.
    static List<String> third(String kept) {
        return List.of(
                "ALTER TABLE skein_head ADD COLUMN minute bigint GENERATED ALWAYS AS"
                        + " (CASE WHEN life = 'live' THEN activity / 60000000000 END) " + kept,
                "DROP INDEX skein_head_newest",
                "CREATE INDEX skein_head_newest ON skein_head (owner, minute DESC) WHERE minute IS NOT NULL");
    }

    /// Version 2: how often somebody asked for the end of what runs.
    static List<String> second() {
        return List.of("ALTER TABLE skein_head ADD COLUMN stops bigint NOT NULL DEFAULT 0");
    }

    /// Version 1, without what searching needs.
    static List<String> first(String uuid, String json, String checked, String storage) {
        return List.of(
                """
                CREATE TABLE skein_session (
                  session %s PRIMARY KEY,
                  id %s NOT NULL,
                  owner text NOT NULL,
                  agent text NOT NULL,
                  alias text,
                  alias_folded text,
                  parent %s,
                  base bigint NOT NULL,
                  life text NOT NULL,
                  purged_at bigint)""".formatted(uuid, uuid, uuid),
                "CREATE UNIQUE INDEX skein_session_id ON skein_session (id, owner) WHERE life <> 'gone'",
                "CREATE UNIQUE INDEX skein_session_alias ON skein_session (owner, agent, alias_folded)"
                        + " WHERE life = 'live'",
                "CREATE INDEX skein_session_parent ON skein_session (parent) WHERE parent IS NOT NULL",
                "CREATE INDEX skein_session_past ON skein_session (life, purged_at) WHERE life <> 'live'",
                """
                CREATE TABLE skein_head (
                  session %s PRIMARY KEY,
                  id %s NOT NULL,
                  owner text NOT NULL,
                  agent text NOT NULL,
                  life text NOT NULL,
                  version bigint NOT NULL,
                  activity bigint NOT NULL,
                  token bigint NOT NULL DEFAULT 0,
                  holder text,
                  expires bigint,
                  indexed bigint NOT NULL)%s""".formatted(uuid, uuid, storage),
                "CREATE INDEX skein_head_newest ON skein_head (owner, activity DESC, id) WHERE life = 'live'",
                """
                CREATE TABLE skein_event (
                  session %s NOT NULL,
                  seq bigint NOT NULL,
                  key text,
                  size int,
                  body %s NOT NULL%s,
                  PRIMARY KEY (session, seq))""".formatted(uuid, json, checked),
                "CREATE UNIQUE INDEX skein_event_key ON skein_event (session, key) WHERE key IS NOT NULL",
                """
                CREATE TABLE skein_state (
                  session %s NOT NULL,
                  version bigint NOT NULL,
                  body %s NOT NULL,
                  PRIMARY KEY (session, version))""".formatted(uuid, json));
    }
}
