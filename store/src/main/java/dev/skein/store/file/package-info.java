/// The file store: sessions as directories of readable files, safe against crashes, other processes and bad
/// bytes.
///
/// The truth is each session's journal; names are small files beside them; everything else (state, index, last
/// session) is derived and may be deleted at any time. Reading order: [FileSessionStore] (the port),
/// `SessionTree` (one scope's directory), `LiveSession` (one session in use), `Journal` and `Frame` (the
/// bytes), `Disk` (the only way to the operating system, replaced in crash simulations). The files are
/// specified in `docs/session-format.md`.
@NullMarked
package dev.skein.store.file;

import org.jspecify.annotations.NullMarked;
