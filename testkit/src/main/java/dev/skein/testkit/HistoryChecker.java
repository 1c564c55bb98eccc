package dev.skein.testkit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Judges what several processes say they did to one session against what is in it.
///
/// Values are unique. An append whose outcome is unknown may be in the session or not. Works in one pass after
/// sorting, so 100,000 operations take well under a second.
public final class HistoryChecker {

    /// How an operation ended, as far as its process knows.
    public enum Outcome {
        OK,
        REFUSED,
        UNKNOWN
    }

    /// One operation. `position` is the sequence number an append got, or up to where a read saw; `value` is what
    /// was appended, or the digest of what was read. An operation of unknown outcome never ended.
    public record Op(boolean append, String value, long invoked, long ended, Outcome outcome, long position) {}

    private final List<String> stored;
    private final long first;
    private final List<String> violations = new ArrayList<>();

    /// `stored` are the values in the session in order, the first of them with sequence number `first`.
    public HistoryChecker(List<String> stored, long first) {
        this.stored = stored;
        this.first = first;
    }

    /// Everything that must not be; empty if all is well.
    public List<String> violationsIn(List<Op> history) {
        violations.clear();
        var positions = positions();
        phantoms(history, positions);
        acknowledged(history);
        prefixes(history);
        realTime(history, positions);
        return List.copyOf(violations);
    }

    /// What a reader who saw these values says it saw.
    public static int digest(int before, String value) {
        return 31 * before + value.hashCode();
    }

    /// The operations of one process, from what it noted before each (`append VALUE TIME` or `read - TIME`) and after
    /// it
    /// (`ok VALUE TIME SEQ`, `saw DIGEST TIME SEQ`, `refused …` or `unknown …`).
    public static List<Op> logged(List<String> lines) {
        var ops = new ArrayList<Op>();
        String @Nullable [] begun = null;
        for (var line : lines) {
            var words = line.split(" ");
            if (words[0].equals("append") || words[0].equals("read")) {
                addUnknown(begun, ops);
                begun = words;
            } else if (begun != null) {
                var outcome = switch (words[0]) {
                    case "ok", "saw" -> Outcome.OK;
                    case "refused" -> Outcome.REFUSED;
                    default -> Outcome.UNKNOWN;
                };
                var ok = outcome == Outcome.OK;
                ops.add(new Op(
                        begun[0].equals("append"),
                        ok ? words[1] : begun[1],
                        Long.parseLong(begun[2]),
                        ok ? Long.parseLong(words[2]) : 0,
                        outcome,
                        ok ? Long.parseLong(words[3]) : 0));
                begun = null;
            }
        }
        addUnknown(begun, ops);
        return ops;
    }

    /// Who began and never ended was killed.
    private static void addUnknown(String @Nullable [] begun, List<Op> ops) {
        if (begun != null && begun[0].equals("append") && begun.length == 3) {
            ops.add(new Op(true, begun[1], Long.parseLong(begun[2]), 0, Outcome.UNKNOWN, 0));
        }
    }

    private Map<String, Long> positions() {
        var positions = new HashMap<String, Long>();
        for (int i = 0; i < stored.size(); i++) {
            var earlier = positions.putIfAbsent(stored.get(i), first + i);
            if (earlier != null) {
                violations.add("duplicate: " + stored.get(i) + " at " + earlier + " and " + (first + i));
            }
        }
        return positions;
    }

    private void phantoms(List<Op> history, Map<String, Long> positions) {
        var mayBe = new HashMap<String, Op>();
        history.stream().filter(Op::append).forEach(op -> mayBe.put(op.value(), op));
        positions.forEach((value, position) -> {
            var op = mayBe.get(value);
            if (op == null) {
                violations.add("phantom: nobody appended " + value + " at " + position);
            } else if (op.outcome() == Outcome.REFUSED) {
                violations.add("phantom: " + value + " was refused and is at " + position);
            }
        });
    }

    private void acknowledged(List<Op> history) {
        for (var op : history) {
            if (op.append() && op.outcome() == Outcome.OK) {
                var at = op.position() - first;
                var there = at >= 0 && at < stored.size() ? stored.get((int) at) : "nothing";
                if (!there.equals(op.value())) {
                    violations.add("lost: " + op.value() + " was acknowledged at " + op.position() + ", where " + there
                            + " is");
                }
            }
        }
    }

    private void prefixes(List<Op> history) {
        var digests = new int[stored.size() + 1];
        for (int i = 0; i < stored.size(); i++) {
            digests[i + 1] = digest(digests[i], stored.get(i));
        }
        for (var op : history) {
            if (!op.append() && op.outcome() == Outcome.OK) {
                var count = op.position() - first + 1;
                if (count < 0 || count > stored.size() || !op.value().equals(String.valueOf(digests[(int) count]))) {
                    violations.add("no prefix: a read up to " + op.position() + " saw something else");
                }
            }
        }
    }

    /// What ended before another began comes before it.
    private void realTime(List<Op> history, Map<String, Long> positions) {
        record Moment(long at, boolean begins, Op op) {}
        var moments = new ArrayList<Moment>();
        for (var op : history) {
            if (op.outcome() == Outcome.OK || (op.append() && positions.containsKey(op.value()))) {
                moments.add(new Moment(op.invoked(), true, op));
                if (op.outcome() == Outcome.OK) {
                    moments.add(new Moment(op.ended(), false, op));
                }
            }
        }
        moments.sort(Comparator.comparingLong(Moment::at).thenComparing(Moment::begins, Comparator.reverseOrder()));
        var done = first - 1;
        for (var moment : moments) {
            var op = moment.op();
            var position = op.append() ? positions.getOrDefault(op.value(), Long.MAX_VALUE) : op.position();
            if (!moment.begins()) {
                done = Math.max(done, position == Long.MAX_VALUE ? done : position);
            } else if (op.append() ? position <= done : position < done) {
                violations.add("order: " + op + " began after position " + done + " was known");
            }
        }
    }
}
