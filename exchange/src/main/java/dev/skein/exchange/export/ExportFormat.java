package dev.skein.exchange.export;

import java.util.Arrays;
import java.util.Optional;

/// What an export can look like.
public enum ExportFormat {
    JSON("json", "application/json"),
    YAML("yaml", "application/yaml"),
    MARKDOWN("md", "text/markdown; charset=utf-8");

    private final String extension;
    private final String mediaType;

    ExportFormat(String extension, String mediaType) {
        this.extension = extension;
        this.mediaType = mediaType;
    }

    /// The format that people call so: `json`, `yaml` or `md`.
    public static Optional<ExportFormat> named(String name) {
        return Arrays.stream(values())
                .filter(format -> format.extension.equalsIgnoreCase(name))
                .findFirst();
    }

    /// How names of files in this format end, without the dot; also what the format is called.
    public String extension() {
        return extension;
    }

    public String mediaType() {
        return mediaType;
    }

    @Override
    public String toString() {
        return extension;
    }
}
