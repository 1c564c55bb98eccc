package dev.skein.cli.serve;

import dev.skein.cli.program.Wiring;
import dev.skein.exchange.export.ExportFormat;
import dev.skein.server.setup.Exports;
import dev.skein.store.SessionHandle;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// The formats that `skein session export` knows, for the server.
final class ExportFormats implements Exports {

    @Override
    public Optional<Format> format(String name) {
        return ExportFormat.named(name).map(Written::new);
    }

    @Override
    public String names() {
        return Arrays.stream(ExportFormat.values()).map(ExportFormat::extension).collect(Collectors.joining(", "));
    }

    private record Written(ExportFormat format) implements Format {
        @Override
        public String mediaType() {
            return format.mediaType();
        }

        @Override
        public void write(SessionHandle session, OutputStream out) throws IOException {
            Wiring.export(format, session, out);
        }
    }
}
