package dev.oriel.sql.watch;

import dev.oriel.profiler.Sample;
import dev.oriel.sql.measure.Analysis;
import dev.oriel.sql.measure.OperatorTrack;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.planner.PlanText;
import dev.oriel.sql.run.MeasuredOperator;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A plan whose operators are measured as they run, for a profile or for the log of slow
/// statements; and what of it a sample belongs to.
///
/// A sample is one of a statement by its thread and its time. Within the statement its stack says
/// which operators were being called, from the outermost inwards, by their classes; where that fits
/// several operators, such as two scans that feed one join, the one counts that ran at that time.
///
/// @param command what is run
/// @param analysis of the operators that run it
public record FollowedPlan(Command command, Analysis analysis) {
    private static final String OPERATOR = "Operator";

    /// What the names of operators begin with.
    static final String OPERATORS = MeasuredOperator.class.getPackageName() + ".";

    private static final String MEASURED = MeasuredOperator.class.getName();

    /// Whether there is anything to be measured in it.
    static boolean hasOperators(Command command) {
        return switch (command) {
            case Command.Query query -> true;
            case Command.LockingQuery query -> true;
            case Command.RowChange change -> true;
            case Command.CopyTo copy -> true;
            case Command.Explain explain -> false;
            case Command.Definition definition -> false;
            case Command.Control control -> false;
        };
    }

    /// What the plan calls the operator that a sample was taken in; null where it was in none.
    @Nullable String name(Sample sample, long nanos) {
        Analysis.Node node = node(sample, nanos, analysis);
        if (node == null) {
            return null;
        }
        for (PlanText.Line line : PlanText.lines(command)) {
            if (line.key() != null && analysis.find(line.key()) == node) {
                return line.text();
            }
        }
        return node.operator;
    }

    /// The operator that a sample was taken in; null where it was in none.
    ///
    /// @param nanos when it was taken, of [System#nanoTime()]
    static Analysis.@Nullable Node node(Sample sample, long nanos, Analysis analysis) {
        OperatorTrack track = analysis.track();
        if (sample.stack().isEmpty()) {
            Analysis.Node ran = track == null ? null : track.at(nanos);
            return ran == null || !analysis.nodes().contains(ran) ? null : ran;
        }
        List<Analysis.Node> candidates = candidates(sample, analysis);
        if (candidates.size() > 1 && track != null) {
            Analysis.Node ran = track.nearest(nanos, candidates);
            if (ran != null) {
                return ran;
            }
        }
        return candidates.isEmpty() ? null : candidates.getFirst();
    }

    /// The operators that the innermost call of an operator in the stack can be of.
    private static List<Analysis.Node> candidates(Sample sample, Analysis analysis) {
        Set<Analysis.@Nullable Node> at = new LinkedHashSet<>();
        at.add(analysis.statement);
        List<Analysis.Node> innermost = List.of();
        boolean entered = true;
        for (Sample.StackFrame frame : sample.stack().reversed()) {
            String owner = frame.owner();
            if (owner.equals(MEASURED)) {
                entered = true;
            } else if (entered && owner.startsWith(OPERATORS) && owner.endsWith(OPERATOR)) {
                List<Analysis.Node> called =
                        called(at, owner.substring(OPERATORS.length()), analysis.nodes());
                if (!called.isEmpty()) {
                    entered = false;
                    innermost = called;
                    at.clear();
                    at.addAll(called);
                }
            }
        }
        return innermost;
    }

    private static List<Analysis.Node> called(
            Set<Analysis.@Nullable Node> by, String operator, List<Analysis.Node> nodes) {
        List<Analysis.Node> called = new ArrayList<>();
        for (Analysis.Node node : nodes) {
            if (by.contains(node.caller) && node.operator.equals(operator)) {
                called.add(node);
            }
        }
        return called;
    }
}
