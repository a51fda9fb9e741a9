package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The rules over the exact tree: call counts of callers and callees. Confined to one thread.
final class TreeAdvice {
    /// Least number of calls of a big loop.
    private static final long CALLS_MIN = 10_000;

    private static final long CALLS_EACH_MIN = 100;

    /// A loop in a method that is called less often than this is the program's own main loop: it does the work
    /// that the program is for.
    private static final long CALLERS_MIN = 16;

    /// Least share of the time that is worth reporting.
    private static final double SHARE_MIN = 0.05;

    private static final double GROWTH_MIN = 1.4;
    private static final long SEARCHED_MIN = 8;

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
        if (!grows && each < CALLS_EACH_MIN) {
            return;
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
        }
        Advice.Rule rule = grows ? Advice.Rule.LINEAR_SEARCH : Advice.Rule.CALL_IN_LOOP;
        advice.add(new Advice(rule, place(caller, node), Math.min(1, share), evidence));
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
