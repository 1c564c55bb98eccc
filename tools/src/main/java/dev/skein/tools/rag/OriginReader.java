package dev.skein.tools.rag;

import dev.skein.cancellation.Cancellation;
import dev.skein.tools.rag.source.Origin;
import dev.skein.tools.rag.text.TextReader;
import dev.skein.tools.web.WebPage;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Objects;

/// Gets the bytes of documents.
///
/// @param patience how long a page of the web may take
record OriginReader(Duration patience) {

    TextReader.Raw read(Origin origin, Cancellation cancellation) throws IOException {
        return switch (origin) {
            case Origin.LocalFile file -> {
                // One byte more than allowed shows that it is too large.
                try (var in = Files.newInputStream(file.path())) {
                    yield new TextReader.Raw(file.name(), null, in.readNBytes(TextReader.BYTES_MAX + 1));
                }
            }
            case Origin.Web(var url) -> {
                var page = WebPage.get(url, patience, TextReader.BYTES_MAX, cancellation);
                yield new TextReader.Raw(url, page.contentType(), page.body());
            }
        };
    }

    static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException _ -> "it may not be read";
            case NoSuchFileException _ -> "it is not there any more";
            default -> Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
        };
    }
}
