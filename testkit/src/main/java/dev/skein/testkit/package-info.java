/// The promises as tests, and honest little doubles: for us and for whoever writes the next store.
///
/// A store is tested by extending each contract: [SessionStoreContract] (appending and reading), [ContextContract],
/// [ForkContract], [IdempotencyContract], [ListingContract], [LockingContract], [NamingContract], [OwnerContract],
/// [RetentionContract], [SearchContract] and [WatchContract]. All of them ask for the same two hooks, described in
/// [StoreFixture].
/// [Tidy] is our style as a test.
@NullMarked
package dev.skein.testkit;

import org.jspecify.annotations.NullMarked;
