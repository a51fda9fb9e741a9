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

/// A plan whose operators are measured as they run, for a profile or for the log of slow statements. Assigns
/// samples to its operators.
///
/// A sample belongs to a statement by thread and time. Within the statement, the classes in its stack tell the
/// operators being called, outermost first. If several operators fit, such as two scans below one join, the sample
/// belongs to the operator that ran at that time.
///
/// @param command the command that runs
/// @param analysis measurements of its operators
public record FollowedPlan(Command command, Analysis analysis) {
    private static final String OPERATOR = "Operator";

    /// Prefix of the class names of operators.
    static final String OPERATORS = MeasuredOperator.class.getPackageName() + ".";

    private static final String MEASURED = MeasuredOperator.class.getName();

    /// Whether the command has operators to measure.
    static boolean hasOperators(Command command) {
        return switch (command) {
            case Command.Query query -> true;
            case Command.LockingQuery query -> true;
            case Command.RowChange change -> true;
            case Command.Chain chain -> true;
            case Command.CopyTo copy -> true;
            case Command.Explain explain -> false;
            case Command.Block block -> false;
            case Command.Definition definition -> false;
            case Command.Control control -> false;
        };
    }

    /// The plan's text for the operator of a sample; null if the sample is in none.
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

    /// The operator of a sample; null if the sample is in none.
    ///
    /// @param nanos time of the sample, by [System#nanoTime()]
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

    /// The operators that fit the innermost operator call in the stack.
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
