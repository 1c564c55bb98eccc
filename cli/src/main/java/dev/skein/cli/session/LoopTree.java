package dev.skein.cli.session;

import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Terminal;
import dev.skein.cli.terminal.TextWidth;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.LoopId;
import dev.skein.session.LoopList;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.session.Session;
import dev.skein.store.SessionSummary;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Draws the loops of a session. A loop with one continuation is followed by it in the same column; only where
/// the conversation branches does the drawing go deeper.
///
/// Works without recursion and with a bounded indent, so that neither long nor deep sessions cost more than
/// their number of loops.
public final class LoopTree {

    /// How deep sub-agents of sub-agents are drawn.
    private static final int DEPTH_MAX = 8;

    private final Program program;
    private final Terminal terminal;
    private final Session session;
    private final TreeGlyphs glyphs;
    private final @Nullable LoopId head;
    private final Set<LoopId> path = new HashSet<>();
    private final Map<LoopId, List<LoopRecord>> pending = new HashMap<>();
    private final List<LoopRecord> pendingRoots = new ArrayList<>();

    public LoopTree(Program program, Session session) {
        this.program = program;
        this.terminal = program.terminal();
        this.session = session;
        glyphs = terminal.isUnicode() ? TreeGlyphs.BOXES : TreeGlyphs.ASCII;
        head = LoopList.headOf(session);
        session.path().forEach(loop -> path.add(loop.id()));
        session.loops().stream()
                .filter(loop -> loop.status() == LoopStatus.PENDING)
                .forEach(this::placePending);
    }

    /// A loop yet to be drawn: what stands before it, and before the lines below it.
    private record Next(LoopRecord loop, String before, String below) {}

    public void print() {
        var summary = SessionSummary.of(session.state());
        terminal.line(terminal.paint(Style.BOLD, terminal.stored(Names.label(summary)))
                + "  " + SessionSheet.count(session.loops().size(), "loop")
                + ", " + SessionSheet.count(session.state().totals().turns(), "turn"));
        var fork = summary.fork();
        if (fork != null) {
            terminal.line(glyphs.link() + "forked from session " + fork.session() + " at " + fork.seq());
        }
        var spawn = session.state().opened().spawn();
        if (spawn != null) {
            terminal.line(
                    glyphs.link() + "spawned by session " + spawn.session() + " with " + terminal.stored(spawn.tool()));
        }
        var stack = new ArrayDeque<Next>();
        var roots = new ArrayList<>(session.roots());
        roots.addAll(pendingRoots);
        roots.reversed().forEach(root -> stack.push(new Next(root, "", "")));
        while (!stack.isEmpty()) {
            draw(stack.pop(), stack);
        }
    }

    private void draw(Next next, Deque<Next> stack) {
        var loop = next.loop();
        var children = new ArrayList<>(session.childrenOf(loop.id()));
        children.addAll(pending.getOrDefault(loop.id(), List.of()));
        terminal.line(next.before() + line(loop, terminal.width() - TextWidth.of(next.before())));
        var besides = next.below() + (children.size() > 1 ? glyphs.besides() : glyphs.blank());
        loop.childRefs().forEach(child -> links(besides, child));
        if (children.size() == 1) {
            stack.push(new Next(children.getFirst(), next.below(), next.below()));
            return;
        }
        var deeper = TextWidth.of(next.below()) < indentMax();
        for (int i = children.size() - 1; i >= 0; i--) {
            var last = i == children.size() - 1;
            var below = last ? glyphs.blank() : glyphs.besides();
            stack.push(new Next(
                    children.get(i),
                    next.below() + (last ? glyphs.lastBranch() : glyphs.branch()),
                    deeper ? next.below() + below : next.below()));
        }
    }

    private int indentMax() {
        return Math.min(60, Math.max(12, terminal.width() / 2));
    }

    private String line(LoopRecord loop, int room) {
        var isHead = loop.id().equals(head);
        var parts = new ArrayList<String>();
        parts.add(glyphs.of(loop.status()) + " " + loop.status());
        parts.add(loop.continuation().kind().toString());
        parts.add(SessionSheet.count(loop.turns().size(), "turn"));
        var group = loop.parallel();
        if (group != null) {
            parts.add("parallel " + (group.loops().indexOf(loop.id()) + 1) + "/"
                    + group.loops().size());
        }
        var facts = String.join(glyphs.dot(), parts);
        var marks =
                (group != null && group.isSelected(loop.id()) ? glyphs.winner() : "") + (isHead ? glyphs.head() : "");
        var words = LoopList.firstWords(loop);
        var left = room - TextWidth.of(facts) - TextWidth.of(marks) - 4;
        var quoted = words == null || left < 8 ? "" : "  \"" + terminal.stored(words, Math.min(left, 60)) + "\"";
        var style = path.contains(loop.id()) ? Style.BOLD : Style.DIM;
        return terminal.paint(color(loop.status()), facts)
                + terminal.paint(style, quoted)
                + terminal.paint(Style.GREEN, marks);
    }

    /// A sub-agent's session to be drawn, and how deep it stands.
    private record Below(ChildLoopRef child, int depth) {}

    /// A sub-agent, and below it those that worked for it.
    private void links(String before, ChildLoopRef first) {
        var stack = new ArrayDeque<Below>();
        stack.push(new Below(first, 0));
        while (!stack.isEmpty()) {
            var next = stack.pop();
            var scope = program.store().locate(program.owner(), next.child().session());
            terminal.line(before + glyphs.blank().repeat(next.depth()) + link(next.child(), scope.orElse(null)));
            if (scope.isPresent() && next.depth() < DEPTH_MAX) {
                grandchildren(scope.get(), next.child())
                        .reversed()
                        .forEach(child -> stack.push(new Below(child, next.depth() + 1)));
            }
        }
    }

    private List<ChildLoopRef> grandchildren(Scope scope, ChildLoopRef child) {
        try (var below = program.store().open(scope, child.session())) {
            return below.load().loops().stream()
                    .flatMap(loop -> loop.childRefs().stream())
                    .distinct()
                    .toList();
        }
    }

    private String link(ChildLoopRef child, @Nullable Scope scope) {
        var where = scope == null
                ? " (deleted)"
                : scope.agentName()
                                .map(name -> " of agent " + terminal.stored(name))
                                .orElse("")
                        + standing(scope, child);
        return glyphs.link() + terminal.stored(child.tool()) + ": session " + child.session() + where;
    }

    private String standing(Scope scope, ChildLoopRef child) {
        try (var below = program.store().open(scope, child.session())) {
            var status = below.state().lastStatus();
            var open = below.state().open();
            var shown = open.isEmpty() ? status : open.getLast().status();
            return shown == null ? "" : glyphs.dot() + terminal.paint(color(shown), shown.toString());
        }
    }

    private static Style color(LoopStatus status) {
        return switch (status) {
            case COMPLETED -> Style.GREEN;
            case RUNNING, WAITING -> Style.YELLOW;
            case PENDING -> Style.DIM;
            case REJECTED, ABORTED -> Style.RED;
        };
    }

    /// A branch that was announced and has not started hangs where its siblings do.
    private void placePending(LoopRecord loop) {
        var parent = session.parallelSiblings(loop.id()).stream()
                .map(LoopRecord::parent)
                .filter(id -> id != null && session.loop(id).isPresent())
                .findFirst();
        if (parent.isPresent()) {
            pending.computeIfAbsent(parent.get(), _ -> new ArrayList<>()).add(loop);
        } else {
            pendingRoots.add(loop);
        }
    }
}
