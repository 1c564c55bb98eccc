package dev.skein.cli.session;

import dev.skein.cli.program.Program;
import dev.skein.cli.program.Wiring;
import dev.skein.exchange.export.ExportFormat;
import dev.skein.failure.StorageFailed;
import dev.skein.store.SessionHandle;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/// `skein session export`
@Command(name = "export", description = "Write a whole session as JSON, YAML or Markdown.")
final class ExportSession implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "A name, a UUID, or its first 6 or more digits.")
    private String name = "";

    @Option(
            names = "--format",
            required = true,
            paramLabel = "F",
            converter = FormatName.class,
            description = "json (complete, can be imported again), yaml or md.")
    private ExportFormat format = ExportFormat.JSON;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Where to (default: standard output, also as -).")
    private @Nullable Path output;

    ExportSession(Program program) {
        this.program = program;
    }

    /// Formats by the names people know.
    static final class FormatName implements ITypeConverter<ExportFormat> {
        @Override
        public ExportFormat convert(String text) {
            return ExportFormat.named(text)
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is none of json, yaml and md"));
        }
    }

    @Override
    public void run() {
        try (var handle = new Names(program).open(name)) {
            if (output == null || output.toString().equals("-")) {
                toTerminal(handle);
            } else {
                toFile(output, handle);
            }
        }
    }

    private void toTerminal(SessionHandle session) {
        var terminal = program.terminal();
        try {
            if (terminal.isInteractive()) {
                var bytes = new ByteArrayOutputStream();
                Wiring.export(format, session, bytes);
                terminal.line(terminal.storedBlock(bytes.toString(StandardCharsets.UTF_8))
                        .stripTrailing());
            } else {
                Wiring.export(format, session, terminal.bytes());
            }
        } catch (IOException e) {
            throw StorageFailed.io("write the export", e);
        }
    }

    /// A file is replaced when the export is complete, not before; a device or a link is written through.
    private void toFile(Path file, SessionHandle session) {
        try {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                try (var out = new BufferedOutputStream(Files.newOutputStream(file))) {
                    Wiring.export(format, session, out);
                }
            } else {
                replace(file, session);
            }
        } catch (IOException e) {
            throw StorageFailed.io("write " + file, e);
        }
        program.terminal()
                .note("exported '" + program.terminal().stored(name) + "' to "
                        + program.terminal().stored(file.toString()));
    }

    private void replace(Path file, SessionHandle session) throws IOException {
        var directory = file.toAbsolutePath().getParent();
        var unfinished = Files.createTempFile(directory, ".skein-export-", ".tmp");
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(unfinished))) {
                Wiring.export(format, session, out);
            }
            Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }
}
