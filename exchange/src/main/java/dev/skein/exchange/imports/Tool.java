package dev.skein.exchange.imports;

import java.util.Arrays;
import java.util.Optional;

/// Who wrote a session file.
public enum Tool {
    LOKI("loki"),
    MINICLAW("miniclaw"),
    PHI_CORE("phi-core"),
    AGENT_HARNESS("agent-harness"),
    CLAUDE_CODE("claude-code"),
    CODEX("codex"),
    PI("pi"),
    SKEIN("skein");

    private final String label;

    Tool(String label) {
        this.label = label;
    }

    /// The tool that people call so.
    public static Optional<Tool> named(String name) {
        return Arrays.stream(values())
                .filter(tool -> tool.label.equalsIgnoreCase(name))
                .findFirst();
    }

    @Override
    public String toString() {
        return label;
    }
}
