/// The store port: what keeps sessions, and what it must promise.
///
/// [SessionStore] is small and its promises are numbered; each is a test in the testkit's contract, which
/// every store passes. A session is used through a [SessionHandle]; it is changed only through a
/// [SessionGuard], which one caller at a time holds, in this process and everywhere else.
@NullMarked
package dev.skein.store;

import org.jspecify.annotations.NullMarked;
