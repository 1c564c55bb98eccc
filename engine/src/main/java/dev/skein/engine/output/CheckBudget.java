package dev.skein.engine.output;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.regex.RegularExpression;
import dev.skein.pattern.WatchedText;
import java.util.regex.Pattern;

/// How much work one check may be: a short schema can ask for more steps, and a short pattern for more comparisons,
/// than anybody can wait for. For one thread.
final class CheckBudget {

    private static final int STEPS_MAX = 1_000_000;
    private static final int COMPARISONS_MAX = 20_000_000;

    private int steps;
    private int comparisons;

    /// The work was too much. An error, because the validator writes exceptions into the log.
    static final class Exceeded extends Error {
        Exceeded(String what) {
            super(what, null, false, false);
        }
    }

    /// A new check begins.
    void renew() {
        steps = 0;
        comparisons = 0;
    }

    /// A context for one check. The validator says where it is in the schema at every step, and that is counted.
    ExecutionContext context() {
        return new ExecutionContext() {
            @Override
            public void evaluationPathAddLast(String keyword) {
                step();
                super.evaluationPathAddLast(keyword);
            }

            @Override
            public void evaluationPathAddLast(int index) {
                step();
                super.evaluationPathAddLast(index);
            }
        };
    }

    private void step() {
        if (++steps > STEPS_MAX) {
            throw new Exceeded("it takes more than " + STEPS_MAX + " steps to check; make the schema simpler");
        }
    }

    /// A pattern as JSON Schema has it: found anywhere, unless it is anchored.
    RegularExpression expression(String pattern) {
        var compiled = compiled(pattern);
        return text -> {
            try {
                return compiled.matcher(new WatchedText(text, this::compare)).find();
            } catch (StackOverflowError _) {
                throw new Exceeded("the pattern '" + pattern + "' is too deep for a text of " + text.length()
                        + " characters; use a simpler one");
            }
        };
    }

    /// In JSON Schema a `$` is the very end.
    static Pattern compiled(String pattern) {
        return Pattern.compile(
                pattern.endsWith("$") && !pattern.endsWith("\\$")
                        ? pattern.substring(0, pattern.length() - 1) + "\\z"
                        : pattern);
    }

    private void compare() {
        if (++comparisons > COMPARISONS_MAX) {
            throw new Exceeded("a pattern of the schema takes too long on it; use a simpler pattern");
        }
    }
}
