/// The database itself: where it is, how to speak to it, which tables it has, and what its failures mean.
///
/// Knows nothing of sessions but their tables. Two dialects, [Postgres] and [Sqlite], say what differs between the
/// two databases; [Database] hands out connections, runs work where no interrupt can harm it, and turns whatever
/// goes wrong into a failure with a next step. Begin with [Database].
@NullMarked
package dev.skein.store.jdbc.sql;

import org.jspecify.annotations.NullMarked;
