package dev.oriel.sql.watch;

import dev.oriel.sql.measure.Analysis;
import dev.oriel.sql.measure.Analysis.Node;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.planner.Estimate;
import dev.oriel.sql.planner.PlanText;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.syntax.ExplainOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The output of EXPLAIN: the plan, with the measurements of each operator if the statement ran. Text has one line
/// per operator; JSON and HTML are one value.
public final class PlanReport {
    private final Command command;
    private final ExplainOptions options;
    private final List<String> rules;
    private final long planningNanos;
    private final Estimate estimate;

    public PlanReport(Command command, ExplainOptions options, Estimate estimate) {
        this(command, options, List.of(), 0, estimate);
    }

    public PlanReport(Command.Explain explain, Estimate estimate) {
        this(
                explain.command(),
                explain.options(),
                explain.rules(),
                explain.planningNanos(),
                estimate);
    }

    private PlanReport(
            Command command,
            ExplainOptions options,
            List<String> rules,
            long planningNanos,
            Estimate estimate) {
        this.command = command;
        this.options = options;
        this.rules = rules;
        this.planningNanos = planningNanos;
        this.estimate = estimate;
    }

    /// An operator in the report.
    ///
    /// @param estimate number of rows that the planner expects; negative if it has no estimate
    /// @param node measurements; null if the operator did not run, or an earlier line has its figures
    /// @param removed number of rows that a filter removed; negative if it is none
    record Entry(
            PlanText.Line line,
            double estimate,
            @Nullable Node node,
            long totalNanos,
            long removed) {}

    /// A run.
    ///
    /// @param rows number of rows returned or changed
    record Run(
            List<Entry> entries,
            Analysis analysis,
            long rows,
            long planningNanos,
            long measuringNanos,
            List<PlanAdvice.Advice> advice,
            @Nullable QueryMemory memory,
            StatementProfile.@Nullable Seen profile) {
        long totalNanos() {
            return analysis.totalNanos();
        }
    }

    /// The report of a statement that is not run.
    public List<String> ofPlan() {
        List<PlanText.Line> lines = PlanText.lines(command);
        return switch (options.format()) {
            case TEXT -> {
                List<String> text = new ArrayList<>();
                lines.forEach(line -> text.add(line.toString()));
                text.addAll(ruleLines());
                yield text;
            }
            case JSON -> List.of(new PlanJson(rules).ofPlan(entries(lines, null)));
            case HTML -> List.of(new PlanPage().ofPlan(entries(lines, null)));
        };
    }

    /// The report of a statement that has run.
    public List<String> ofRun(
            Analysis analysis,
            long rows,
            @Nullable QueryMemory memory,
            StatementProfile.@Nullable Seen profile) {
        List<Entry> entries = entries(PlanText.lines(command), analysis);
        Run run =
                new Run(
                        entries,
                        analysis,
                        rows,
                        planningNanos,
                        analysis.timing() ? analysis.measuringNanos() : 0,
                        PlanAdvice.of(entries, analysis),
                        memory,
                        profile);
        return switch (options.format()) {
            case TEXT -> text(run);
            case JSON -> List.of(new PlanJson(rules).ofRun(run));
            case HTML -> List.of(new PlanPage().ofRun(run));
        };
    }

    private List<Entry> entries(List<PlanText.Line> lines, @Nullable Analysis analysis) {
        List<Entry> entries = new ArrayList<>();
        Set<Node> shown = new HashSet<>();
        IdentityHashMap<Node, Long> totals =
                analysis == null ? new IdentityHashMap<>() : totals(analysis);
        for (PlanText.Line line : lines) {
            Object key = line.key();
            Node node = key == null || analysis == null ? null : analysis.find(key);
            Node own = node != null && shown.add(node) ? node : null;
            long total = own == null ? 0 : totals.getOrDefault(own, own.selfNanos);
            entries.add(new Entry(line, estimate(key), own, total, -1));
        }
        for (int i = 0; i + 1 < entries.size(); i++) {
            entries.set(i, withRemoved(entries.get(i), entries.get(i + 1)));
        }
        return entries;
    }

    /// A filter with the number of removed rows. Its input is the next line, except for subqueries of its condition.
    private static Entry withRemoved(Entry filter, Entry next) {
        Node node = filter.node();
        Node input = next.node();
        if (node == null
                || input == null
                || input.caller != node
                || input.rows < node.rows
                || next.line().depth() != filter.line().depth() + 1
                || !filter.line().text().startsWith(PlanAdvice.FILTER)) {
            return filter;
        }
        long removed = input.rows - node.rows;
        return new Entry(filter.line(), filter.estimate(), node, filter.totalNanos(), removed);
    }

    private List<String> ruleLines() {
        return rules.stream().map(rule -> "Rule: " + rule).toList();
    }

    /// The total time of each node: its own and that of all nodes it calls, directly or not.
    private static IdentityHashMap<Node, Long> totals(Analysis analysis) {
        IdentityHashMap<Node, Long> totals = new IdentityHashMap<>();
        for (Node node : analysis.nodes()) {
            Node caller = node;
            while (caller != null) {
                totals.merge(caller, node.selfNanos, Long::sum);
                caller = caller.caller;
            }
        }
        return totals;
    }

    private double estimate(@Nullable Object key) {
        return switch (key) {
            case Plan plan -> estimate.rows(plan);
            case Join.Source source -> estimate.rows(source.plan());
            case null, default -> -1;
        };
    }

    private List<String> text(Run run) {
        List<String> lines = new ArrayList<>();
        for (Entry entry : run.entries()) {
            lines.add(entry.line() + figures(entry));
        }
        Analysis analysis = run.analysis();
        long operators = 0;
        for (Node node : analysis.nodes()) {
            operators += node.selfNanos;
        }
        lines.add("Rows: " + run.rows());
        QueryMemory memory = run.memory();
        if (memory != null && memory.putAside() > 0) {
            lines.add(
                    "Memory: "
                            + bytes(memory.most())
                            + " at most of "
                            + bytes(memory.bytesMax())
                            + ", put aside "
                            + bytes(memory.putAside()));
        }
        for (Analysis.KeySearch search : analysis.keySearches()) {
            lines.add("Hidden work: " + text(search));
        }
        if (options.timing()) {
            lines.add("Planning: " + millis(run.planningNanos()));
            long outside = run.totalNanos() - operators - analysis.commit.selfNanos;
            lines.add(
                    "Time: "
                            + millis(run.totalNanos())
                            + " = operators "
                            + millis(operators)
                            + " + statement "
                            + millis(outside)
                            + " + commit "
                            + millis(analysis.commit.selfNanos));
            lines.add(
                    "Measuring: about "
                            + millis(run.measuringNanos())
                            + " of it, "
                            + percent(run.measuringNanos(), run.totalNanos()));
        }
        for (PlanAdvice.Advice each : run.advice()) {
            lines.add(each.line());
        }
        lines.addAll(ruleLines());
        if (run.profile() != null) {
            lines.addAll(run.profile().lines(run.entries()));
        }
        return lines;
    }

    /// `foreign key kc_k_fkey: read all of kc 20 times, 8000 rows, 83.000 ms`.
    String text(Analysis.KeySearch search) {
        boolean all = search.timesAll > 0;
        return "foreign key "
                + search.key.name()
                + (all ? ": read all of " : ": looked up in ")
                + search.table.name()
                + (search.times == 1 ? " once, " : " " + search.times + " times, ")
                + search.rows
                + (search.rows == 1 ? " row" : " rows")
                + (options.timing() ? ", " + millis(search.nanos) : "");
    }

    private String figures(Entry entry) {
        Node node = entry.node();
        if (node == null) {
            return entry.estimate() < 0 ? "" : "  (~" + rows(entry.estimate()) + " rows)";
        }
        StringBuilder text = new StringBuilder("  (rows ").append(node.rows);
        if (entry.estimate() >= 0) {
            text.append(" of ~").append(rows(entry.estimate()));
        }
        if (entry.removed() > 0) {
            text.append(", removed ").append(entry.removed());
        }
        text.append(", loops ").append(node.opens);
        if (options.timing()) {
            text.append(", self ").append(millis(node.selfNanos));
            text.append(", total ").append(millis(entry.totalNanos()));
            if (node.firstRowNanos >= 0) {
                text.append(", first row ").append(millis(node.firstRowNanos));
            }
        }
        text.append(", pages ").append(node.pages);
        if (node.memoryBytes > 0) {
            text.append(", memory ").append(bytes(node.memoryBytes));
        }
        if (node.putAsideBytes > 0) {
            text.append(", put aside ").append(bytes(node.putAsideBytes));
        }
        return text.append(')').toString();
    }

    static String rows(double estimate) {
        return String.format(Locale.ROOT, "%.0f", estimate);
    }

    static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.3f ms", nanos / 1e6);
    }

    static String percent(long part, long whole) {
        return String.format(Locale.ROOT, "%.1f %%", whole == 0 ? 0.0 : 100.0 * part / whole);
    }

    static String bytes(long bytes) {
        return bytes < 10_000 ? bytes + " B" : bytes / 1_000 + " kB";
    }
}
