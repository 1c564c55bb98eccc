/// A store that forgets: sessions in memory, for tests, for runs that must leave no trace, and as the reference that
/// other stores are compared with.
///
/// It keeps every promise of the port but to outlive its process. Begin with [MemorySessionStore].
@NullMarked
package dev.skein.store.memory;

import org.jspecify.annotations.NullMarked;
