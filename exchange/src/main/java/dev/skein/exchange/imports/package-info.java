/// Sessions of other tools, from their files.
///
/// [SessionFiles] tells by its content which tool wrote a file and hands it to that tool's reader; each reader makes
/// a [ForeignSession] of it, and [Importer] brings that into a store: once, or what is new since the last time. Same
/// file, same
/// events: ids that a file lacks are invented from what it says. Nothing here opens a file, and nothing that a file
/// says counts as a person's yes. What has no word in Skein is kept in metadata.
@NullMarked
package dev.skein.exchange.imports;

import org.jspecify.annotations.NullMarked;
