/// Sessions on their way out: everything as JSON or YAML, or a transcript for people as Markdown.
///
/// Begin with [SessionExport]. JSON and YAML are the same tree and lose nothing; Markdown tells the
/// conversation as it stands, and nothing that was said can pass for something else in it.
@NullMarked
package dev.skein.exchange.export;

import org.jspecify.annotations.NullMarked;
