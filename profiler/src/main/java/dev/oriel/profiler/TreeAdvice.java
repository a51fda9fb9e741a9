package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The rules over the exact tree: call counts of callers and callees. Confined to one thread.
final class TreeAdvice {
    /// Least number of calls of a big loop.
    private static final long CALLS_MIN = 10_000;

    private static final long CALLS_EACH_MIN = 100;

    /// Number of calls below which a loop in a method is the program's main loop, whose work is the program's purpose.
    private static final long CALLERS_MIN = 16;

    /// Least share of the time that is worth reporting.
    private static final double SHARE_MIN = 0.05;

    private static final double GROWTH_MIN = 1.4;
    private static final long SEARCHED_MIN = 8;

    /// Methods that run a statement: JDBC's, and those of Oriel's engine.
    private static final Pattern STATEMENT =
            Pattern.compile(".*(Statement|Prepared)\\.(execute\\w*|query|update)");

    private final ProfileResult result;
    private final ClassCode code;
    private final List<Advice> advice = new ArrayList<>();

    private TreeAdvice(ProfileResult result, ClassCode code) {
        this.result = result;
        this.code = code;
    }

    static List<Advice> of(ProfileResult result, ClassCode code) {
        TreeAdvice rules = new TreeAdvice(result, code);
        for (CallNode root : result.roots()) {
            rules.look(root);
        }
        return rules.advice;
    }

    private void look(CallNode caller) {
        for (CallNode node : caller.children()) {
            if (!node.name().equals(caller.name()) && caller.calls() > 0) {
                look(caller, node);
            }
            look(node);
        }
    }

    private void look(CallNode caller, CallNode node) {
        long each = node.calls() / caller.calls();
        // For calls counted without a time, the caller's own time is used.
        long nanos = node.totalNanos();
        if (node.detail().untimedCalls() > 0) {
            nanos += caller.selfNanos();
        }
        double share = result.totalNanos() == 0 ? 0 : (double) nanos / result.totalNanos();
        if (node.calls() < CALLS_MIN || caller.calls() < CALLERS_MIN || share < SHARE_MIN) {
            return;
        }
        boolean grows = node.detail().growth() >= GROWTH_MIN && each >= SEARCHED_MIN;
        int repeated =
                each < CALLS_EACH_MIN
                        ? 0
                        : code.loopThatRepeats(
                                caller.owner(), caller.method(), node.owner(), node.method());
        long statements = each < CALLS_EACH_MIN || grows || repeated > 0 ? 0 : statements(node);
        if (!grows && repeated == 0 && statements < node.calls()) {
            return; // many calls are no fault: each may have something else to do
        }
        String evidence =
                String.format(
                        Locale.ROOT,
                        "%s is called %s times for each of the %s calls of %s; they and what they"
                                + " call took %.0f %% of the time.",
                        node.name(),
                        Figures.count(each),
                        Figures.count(caller.calls()),
                        caller.name(),
                        100 * Math.min(1, share));
        if (grows) {
            evidence +=
                    String.format(
                            Locale.ROOT,
                            " The number grows as the caller is called more: its calls double %.1f"
                                    + " times while the caller's double once.",
                            node.detail().growth());
            advice.add(
                    new Advice(
                            Advice.Rule.LINEAR_SEARCH,
                            place(caller, node),
                            Math.min(1, share),
                            evidence));
        } else if (repeated == 0) {
            evidence +=
                    String.format(
                            Locale.ROOT,
                            " Each runs a statement of a database, %s in all.",
                            Figures.count(statements));
            advice.add(
                    new Advice(
                            Advice.Rule.QUERY_IN_LOOP,
                            place(caller, node),
                            Math.min(1, share),
                            evidence));
        } else {
            evidence +=
                    String.format(
                            Locale.ROOT,
                            " Its arguments are the same each time, since the loop does not change"
                                    + " them: one call would save about %.0f %% of the time.",
                            100 * Math.min(1, share) * (each - 1) / each);
            String place = caller.name() + ":" + repeated;
            advice.add(new Advice(Advice.Rule.CALL_IN_LOOP, place, Math.min(1, share), evidence));
        }
    }

    /// Number of statements that a database ran in calls of a node.
    private static long statements(CallNode node) {
        if (STATEMENT.matcher(node.name()).matches()) {
            return node.calls();
        }
        long sum = 0;
        for (CallNode child : node.children()) {
            sum += statements(child);
        }
        return sum;
    }

    /// The line of the calling statement: from the class file, or from samples.
    private String place(CallNode caller, CallNode node) {
        int line = code.loopThatCalls(caller.owner(), caller.method(), node.method());
        if (line > 0) {
            return caller.name() + ":" + line;
        }
        for (Sample sample : result.samples()) {
            List<StackFrame> stack = sample.stack();
            for (int i = 0; i + 1 < stack.size(); i++) {
                if (stack.get(i).name().equals(node.name())
                        && stack.get(i + 1).name().equals(caller.name())) {
                    return stack.get(i + 1).toString();
                }
            }
        }
        return caller.name();
    }
}
