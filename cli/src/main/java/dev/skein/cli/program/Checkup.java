package dev.skein.cli.program;

import java.util.List;
import java.util.Locale;

/// What was found when every file of the store was looked at.
public record Checkup(int sessionsChecked, List<Finding> findings) {

    /// How bad it is.
    public enum Severity {
        NOTE,
        DAMAGE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Something worth telling. `where` is a path below home.
    public record Finding(Severity severity, String where, String what, boolean repaired) {

        /// Whether somebody still has to act.
        public boolean isOpen() {
            return severity == Severity.DAMAGE && !repaired;
        }
    }

    public Checkup {
        findings = List.copyOf(findings);
    }
}
