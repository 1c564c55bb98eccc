package dev.skein.cli.program;

import dev.skein.failure.SkeinException;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.SessionStore;
import dev.skein.store.SessionSummary;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// What was found when every session was read from its first event to its last.
public record Checkup(int sessionsChecked, List<Finding> findings) {

    private static final int PAGE = 1_000;

    /// How the store tells, among the events, that some are missing.
    private static final String GAP = "gap";

    /// How bad it is.
    public enum Severity {
        OK,
        NOTE,
        DAMAGE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Something worth telling. `where` is a file or a session.
    public record Finding(Severity severity, String where, String what, boolean repaired) {

        /// Whether somebody still has to act.
        public boolean isOpen() {
            return severity == Severity.DAMAGE && !repaired;
        }
    }

    public Checkup {
        findings = List.copyOf(findings);
    }

    /// The same, with one more thing that a person should know.
    Checkup plusNote(String what) {
        var more = new ArrayList<>(findings);
        more.add(new Finding(Severity.NOTE, "doctor", what, false));
        return new Checkup(sessionsChecked, more);
    }

    /// Reads everything that these owners have.
    static Checkup of(SessionStore store, Collection<String> owners) {
        var findings = new ArrayList<Finding>();
        var checked = 0;
        for (var owner : owners) {
            var query = ListQuery.ofOwner(owner).withLimit(PAGE);
            var page = store.list(query);
            while (true) {
                page.problems().forEach(problem -> findings.add(damage(owner, problem)));
                for (var session : page.sessions()) {
                    checked++;
                    read(store, session, findings);
                }
                if (page.nextCursor() == null) {
                    break;
                }
                page = store.list(query.after(page.nextCursor()));
            }
        }
        return new Checkup(checked, findings);
    }

    private static void read(SessionStore store, SessionSummary summary, List<Finding> findings) {
        var id = summary.id();
        if (id == null) {
            var name = Objects.requireNonNullElse(summary.legacy(), "a file");
            findings.add(new Finding(Severity.NOTE, name, "is of another tool; 'skein migrate' brings it in", false));
            return;
        }
        try {
            var gaps = gaps(store, new Scope(summary.owner(), summary.agent()), id);
            if (gaps > 0) {
                findings.add(damage("session " + id, gaps + " of its events cannot be read"));
            }
        } catch (SkeinException e) {
            findings.add(damage("session " + id, Objects.requireNonNullElse(e.getMessage(), e.code())));
        }
    }

    private static long gaps(SessionStore store, Scope scope, SessionId id) {
        var gaps = new long[1];
        try (var session = store.open(scope, id)) {
            session.read(1, entry -> {
                if (entry.event() instanceof SessionEvent.Opaque opaque
                        && opaque.type().equals(GAP)) {
                    gaps[0]++;
                }
            });
        }
        return gaps[0];
    }

    private static Finding damage(String where, String what) {
        return new Finding(Severity.DAMAGE, where, what, false);
    }
}
