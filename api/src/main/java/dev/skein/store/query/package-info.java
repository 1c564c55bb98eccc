/// Questions that every store answers alike: which sessions are on a page, which message matches, which sessions
/// have to go, whether an append was made before.
///
/// Pure functions over summaries and entries; where those come from is the store's business. Nothing here performs
/// I/O or reads a clock. Begin with [Listing].
@NullMarked
package dev.skein.store.query;

import org.jspecify.annotations.NullMarked;
