/// Collections of documents over HTTP: what there is, rebuilding one, and which one a session answers from. Begin with
/// [RagRoutes].
@NullMarked
package dev.skein.server.rag;

import org.jspecify.annotations.NullMarked;
