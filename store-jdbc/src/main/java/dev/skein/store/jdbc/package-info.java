/// Sessions in a relational database: SQLite in one file, or PostgreSQL shared by many machines.
@NullMarked
package dev.skein.store.jdbc;

import org.jspecify.annotations.NullMarked;
