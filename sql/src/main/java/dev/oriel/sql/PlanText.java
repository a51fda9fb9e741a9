package dev.oriel.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A plan as EXPLAIN prints it: an operator a line, each indented below the one it feeds.
final class PlanText {
    private final List<String> lines = new ArrayList<>();

    private PlanText() {}

    /// The lines of what `command` does.
    static List<String> of(Command command) {
        PlanText text = new PlanText();
        text.command(command);
        return text.lines;
    }

    private void command(Command command) {
        switch (command) {
            case Command.Query query -> plan(query.plan(), 0);
            case Command.InsertRows insert ->
                    lines.add(
                            "Insert "
                                    + insert.table().name()
                                    + " ("
                                    + insert.rows().size()
                                    + (insert.rows().size() == 1 ? " row)" : " rows)"));
            case Command.InsertQuery insert -> {
                lines.add("Insert " + insert.table().name());
                plan(insert.source(), 1);
            }
            case Command.Update update -> {
                List<String> assignments = new ArrayList<>();
                for (Command.Assignment assignment : update.assignments()) {
                    assignments.add(
                            update.table().columns().get(assignment.column()).name()
                                    + " = "
                                    + ScalarText.of(assignment.value()));
                }
                lines.add(
                        "Update "
                                + update.table().name()
                                + " ("
                                + String.join(", ", assignments)
                                + ")");
                filtered(update.scan(), update.filter());
            }
            case Command.Delete delete -> {
                lines.add("Delete " + delete.table().name());
                filtered(delete.scan(), delete.filter());
            }
            case Command.Definition definition ->
                    lines.add(definition.statement().getClass().getSimpleName());
            case Command.Control control ->
                    lines.add(control.statement().getClass().getSimpleName());
            case Command.Explain explain -> lines.addAll(explain.lines());
        }
    }

    private void filtered(Plan.Scan scan, @Nullable Scalar filter) {
        plan(filter == null ? scan : new Plan.Filter(scan, filter), 1);
    }

    private void plan(Plan plan, int depth) {
        String line =
                switch (plan) {
                    case Plan.Scan scan -> scan(scan);
                    case Plan.OneRow row -> "OneRow";
                    case Plan.Filter filter -> "Filter (" + ScalarText.of(filter.condition()) + ")";
                    case Plan.Aggregate aggregate -> aggregate(aggregate);
                    case Plan.Project project -> "Project (" + list(project.columns()) + ")";
                    case Plan.Distinct distinct -> "Distinct";
                    case Plan.Sort sort -> sort(sort);
                    case Plan.Limit limit -> limit(limit);
                };
        lines.add("  ".repeat(depth) + line);
        @Nullable Plan input =
                switch (plan) {
                    case Plan.Scan scan -> null;
                    case Plan.OneRow row -> null;
                    case Plan.Filter filter -> filter.input();
                    case Plan.Aggregate aggregate -> aggregate.input();
                    case Plan.Project project -> project.input();
                    case Plan.Distinct distinct -> distinct.input();
                    case Plan.Sort sort -> sort.input();
                    case Plan.Limit limit -> limit.input();
                };
        if (input != null) {
            plan(input, depth + 1);
        }
    }

    private static String scan(Plan.Scan scan) {
        StringBuilder line = new StringBuilder();
        if (scan.index() == null) {
            boolean whole = scan.bounds().equals(Plan.Bounds.NONE);
            line.append(whole ? "TableScan " : "KeyScan ").append(scan.table().name());
        } else {
            line.append("IndexScan ").append(scan.table().name());
            line.append(" using ").append(scan.index().name());
        }
        String bounds = bounds(scan);
        if (!bounds.isEmpty()) {
            line.append(" (").append(bounds).append(')');
        }
        return line.append(scan.descending() ? " descending" : "").toString();
    }

    private static String bounds(Plan.Scan scan) {
        Plan.Bounds bounds = scan.bounds();
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < bounds.equal().size(); i++) {
            Scalar value = bounds.equal().get(i);
            parts.add(column(scan, i) + (value == null ? " IS NULL" : " = " + operand(value)));
        }
        if (bounds.ranged()) {
            String column = column(scan, bounds.equal().size());
            if (bounds.lower() != null) {
                String operator = bounds.lower().inclusive() ? " >= " : " > ";
                parts.add(column + operator + operand(bounds.lower().value()));
            }
            if (bounds.upper() != null) {
                String operator = bounds.upper().inclusive() ? " <= " : " < ";
                parts.add(column + operator + operand(bounds.upper().value()));
            }
            if (bounds.lower() == null && bounds.upper() == null) {
                parts.add(column + " IS NOT NULL");
            }
        }
        return String.join(", ", parts);
    }

    private static String operand(Scalar scalar) {
        return ScalarText.of(scalar);
    }

    private static String column(Plan.Scan scan, int i) {
        return scan.table().columns().get(scan.keyColumns().get(i)).name();
    }

    private static String aggregate(Plan.Aggregate aggregate) {
        List<String> parts = new ArrayList<>();
        for (AggregateCall call : aggregate.calls()) {
            parts.add(call(call));
        }
        return "Aggregate ("
                + String.join(", ", parts)
                + ")"
                + (aggregate.keys().isEmpty() ? "" : " by " + list(aggregate.keys()));
    }

    private static String call(AggregateCall call) {
        return call.kind()
                + "("
                + (call.distinct() ? "DISTINCT " : "")
                + (call.argument() == null ? "*" : ScalarText.of(call.argument()))
                + ")";
    }

    private static String sort(Plan.Sort sort) {
        List<String> parts = new ArrayList<>();
        for (Plan.SortKey key : sort.keys()) {
            parts.add(
                    column(sort.input(), key.column())
                            + (key.descending() ? " DESC" : "")
                            + (key.nullsFirst() == key.descending()
                                    ? ""
                                    : key.nullsFirst() ? " NULLS FIRST" : " NULLS LAST"));
        }
        return "Sort (" + String.join(", ", parts) + ")";
    }

    /// What column `i` of the rows of `plan` is.
    private static String column(Plan plan, int i) {
        return switch (plan) {
            case Plan.Scan scan -> scan.table().columns().get(i).name();
            case Plan.OneRow row -> throw new IllegalStateException("a row without columns");
            case Plan.Filter filter -> column(filter.input(), i);
            case Plan.Aggregate aggregate -> {
                int keys = aggregate.keys().size();
                yield i < keys
                        ? ScalarText.of(aggregate.keys().get(i))
                        : call(aggregate.calls().get(i - keys));
            }
            case Plan.Project project -> ScalarText.of(project.columns().get(i));
            case Plan.Distinct distinct -> column(distinct.input(), i);
            case Plan.Sort sort -> column(sort.input(), i);
            case Plan.Limit limit -> column(limit.input(), i);
        };
    }

    private static String limit(Plan.Limit limit) {
        List<String> parts = new ArrayList<>();
        if (limit.limit() != null) {
            parts.add(ScalarText.of(limit.limit().value()));
        }
        if (limit.offset() != null) {
            parts.add("offset " + ScalarText.of(limit.offset().value()));
        }
        return "Limit (" + String.join(", ", parts) + ")";
    }

    private static String list(List<Scalar> scalars) {
        return String.join(", ", scalars.stream().map(ScalarText::of).toList());
    }
}
