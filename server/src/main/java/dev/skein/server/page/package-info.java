/// The web page: a few files that a browser runs, which use the same HTTP API as everybody else. Begin with [Page]; why
/// it is built this way is in `docs/decisions/0020-the-page-has-no-build.md`.
@NullMarked
package dev.skein.server.page;

import org.jspecify.annotations.NullMarked;
