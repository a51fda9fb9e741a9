package dev.oriel.sql.planner;

import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.plan.Subquery;
import dev.oriel.sql.rows.SortKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A plan as EXPLAIN prints it: one operator per line, each indented below its parent.
public final class PlanText {
    /// Maximum number of alternatives of a scan that are printed.
    private static final int CHOICES_SHOWN = 4;

    /// Minimum number of lines of a query named by WITH that is printed only once.
    private static final int LINES_WITH_REPEATS = 500;

    private final BitSet keptTold = new BitSet();
    private final List<Line> lines = new ArrayList<>();

    private PlanText() {}

    /// Depth of the command within another.
    private int base;

    /// One operator.
    ///
    /// @param depth of the operator in the tree
    /// @param key the part of the plan that the operator runs; null if there is none
    public record Line(int depth, String text, @Nullable Object key) {
        @Override
        public String toString() {
            return "  ".repeat(depth) + text;
        }
    }

    /// The lines for `command`.
    public static List<String> of(Command command) {
        return lines(command).stream().map(Line::toString).toList();
    }

    /// The lines with their plan parts.
    public static List<Line> lines(Command command) {
        PlanText text = new PlanText();
        text.command(command);
        return text.lines;
    }

    private void command(Command command) {
        switch (command) {
            case Command.Query query -> plan(query.plan(), 0);
            case Command.InsertRows insert -> {
                add(
                        0,
                        "Insert "
                                + insert.table().name()
                                + " ("
                                + insert.rows().size()
                                + (insert.rows().size() == 1 ? " row)" : " rows)"),
                        null);
                insert.rows().forEach(row -> subqueries(row, 1));
            }
            case Command.InsertQuery insert -> {
                add(0, "Insert " + insert.table().name(), null);
                plan(insert.source(), 1);
            }
            case Command.Update update -> updated(update);
            case Command.Delete delete -> {
                add(0, "Delete " + delete.table().name() + limited(delete.limit()), null);
                filtered(delete.scan(), delete.filter());
            }
            case Command.Joined joined -> {
                add(0, (joined.once() ? "Merge " : "Change ") + joined.table().name(), null);
                plan(joined.source(), 1);
            }
            case Command.Instead instead -> {
                add(0, "Triggers of " + instead.table().name(), null);
                plan(instead.rows(), 1);
            }
            case Command.CopyFrom copy ->
                    add(0, "Copy " + copy.table().name() + " from " + copy.file(), null);
            case Command.ExternalChange change -> external(change);
            case Command.Chain chain -> {
                for (Command.Part part : chain.parts()) {
                    add(0, "With " + part.name(), null);
                    base++;
                    command(part.change());
                    base--;
                }
                command(chain.last());
            }
            case Command.CopyTo copy -> {
                add(0, "Copy to " + copy.file(), null);
                plan(copy.plan(), 1);
            }
            case Command.LockingQuery query -> plan(query.plan(), 0);
            case Command.Block block ->
                    add(
                            0,
                            block.procedure() == null ? "Do" : "Call " + block.procedure().name(),
                            null);
            case Command.Definition definition ->
                    add(0, definition.statement().getClass().getSimpleName(), null);
            case Command.Control control ->
                    add(0, control.statement().getClass().getSimpleName(), null);
            case Command.Explain explain -> command(explain.command());
        }
    }

    private void external(Command.ExternalChange change) {
        String file = change.external().name();
        add(0, (change.insert() == null ? "Rewrite " : "Append to ") + file, null);
        if (change.insert() instanceof Command.InsertQuery insert) {
            plan(insert.source(), 1);
        }
        if (change.filter() != null) {
            add(1, "Filter (" + ScalarText.of(change.filter()) + ")", change.filter());
            subqueries(List.of(change.filter()), 2);
        }
    }

    private void updated(Command.Update update) {
        List<String> assignments = new ArrayList<>();
        for (Command.Assignment assignment : update.assignments()) {
            assignments.add(
                    update.table().columns().get(assignment.column()).name()
                            + " = "
                            + ScalarText.of(assignment.value()));
        }
        add(
                0,
                "Update "
                        + update.table().name()
                        + " ("
                        + String.join(", ", assignments)
                        + ")"
                        + limited(update.limit()),
                null);
        subqueries(update.assignments().stream().map(Command.Assignment::value).toList(), 1);
        filtered(update.scan(), update.filter());
    }

    private static String limited(Plan.@Nullable Count limit) {
        return limit == null ? "" : ", at most " + ScalarText.of(limit.value()) + " rows";
    }

    private void filtered(Plan.Scan scan, @Nullable Scalar filter) {
        if (filter != null) {
            add(1, "Filter (" + ScalarText.of(filter) + ")", filter);
            subqueries(List.of(filter), 2);
        }
        plan(scan, filter == null ? 1 : 2);
    }

    private void plan(Plan plan, int depth) {
        if (plan instanceof Plan.Joined joined) {
            join(joined.join(), depth);
            return;
        }
        add(depth, line(plan), plan);
        if (plan instanceof Plan.Kept kept && isToldAgain(kept)) {
            return;
        }
        subqueries(PlanParts.scalars(plan), depth + 1);
        for (Plan input : PlanParts.inputs(plan)) {
            plan(input, depth + 1);
        }
    }

    /// Whether `kept` was printed before and the text is long: if each name reads the one before it twice, each name
    /// would double the text.
    private boolean isToldAgain(Plan.Kept kept) {
        boolean told = keptTold.get(kept.number());
        keptTold.set(kept.number());
        return told && lines.size() > LINES_WITH_REPEATS;
    }

    private void add(int depth, String line, @Nullable Object key) {
        lines.add(new Line(base + depth, line, key));
    }

    private static String line(Plan plan) {
        return switch (plan) {
            case Plan.Scan scan -> scan(scan, "");
            case Plan.FileScan scan -> "FileScan " + scan.table().name();
            case Plan.OneRow row -> "OneRow";
            case Plan.Computed computed ->
                    "Computed "
                            + computed.table().qualifiedName()
                            + (computed.arguments().isEmpty()
                                    ? ""
                                    : " (" + list(computed.arguments()) + ")");
            case Plan.Rows rows ->
                    "Rows (" + rows.rows().size() + (rows.rows().size() == 1 ? " row)" : " rows)");
            case Plan.Joined joined -> throw new IllegalStateException("joins have several lines");
            case Plan.Filter filter -> "Filter (" + ScalarText.of(filter.condition()) + ")";
            case Plan.Aggregate aggregate -> aggregate(aggregate);
            case Plan.Project project -> "Project (" + list(project.columns()) + ")";
            case Plan.RowsOf rows -> rows.function() + " (" + ScalarText.of(rows.source()) + ")";
            case Plan.Window window -> window(window);
            case Plan.Series series ->
                    "Series ("
                            + list(List.of(series.first(), series.last()))
                            + ", "
                            + (series.span() == null ? ScalarText.of(series.step()) : series.span())
                            + ")";
            case Plan.Distinct distinct -> "Distinct";
            case Plan.Sort sort -> sort(sort);
            case Plan.Limit limit -> limit(limit);
            case Plan.Lock lock -> "Lock rows " + lock.mode() + " " + lock.waiting();
            case Plan.Append append -> "Append";
            case Plan.Match match ->
                    (match.among() ? "Intersect" : "Except") + (match.all() ? " all" : "");
            case Plan.Kept kept ->
                    "Kept "
                            + kept.name()
                            + (PlanParts.needs(kept.input()).length == 0 ? "" : " (anew for each)");
            case Plan.Recursive recursive ->
                    "Recursive " + recursive.name() + (recursive.all() ? " all" : "");
            case Plan.Working working -> "Rows before of " + working.name();
            case Plan.Returned returned -> "Returned by " + returned.name();
        };
    }

    private void join(Join join, int depth) {
        switch (join) {
            case Join.Source source -> source(source, depth);
            case Join.Filtered filtered -> {
                add(depth, "Filter (" + ScalarText.of(filtered.condition()) + ")", filtered);
                subqueries(List.of(filtered.condition()), depth + 1);
                join(filtered.input(), depth + 1);
            }
            case Join.Loop loop -> {
                add(depth, loop.left() ? "LoopJoin left" : "LoopJoin", loop);
                join(loop.outer(), depth + 1);
                join(loop.inner(), depth + 1);
            }
            case Join.Hash hash -> {
                add(depth, hash(hash), hash);
                if (hash.rest() != null) {
                    subqueries(List.of(hash.rest()), depth + 1);
                }
                if (!hash.looksUp()) {
                    join(hash.probe(), depth + 1);
                }
                join(hash.build(), depth + 1);
            }
        }
    }

    private void source(Join.Source source, int depth) {
        if (source.plan() instanceof Plan.Scan scan) {
            add(depth, scan(scan, source.name()), source);
            subqueries(PlanParts.scalars(scan), depth + 1);
            return;
        }
        BoundFrom.Lateral lateral = source.lateral();
        String name = source.name().isEmpty() ? "Query" : "Query " + source.name();
        add(
                depth,
                lateral == null ? name : name + " for each (" + list(lateral.arguments()) + ")",
                source);
        plan(source.plan(), depth + 1);
    }

    private static String hash(Join.Hash hash) {
        StringBuilder line = new StringBuilder();
        line.append(
                hash.looksUp()
                        ? "KeptLookUp"
                        : hash.probeKeys().isEmpty() ? "KeptJoin" : "HashJoin");
        line.append(
                switch (hash.kind()) {
                    case INNER -> "";
                    case LEFT -> " left";
                    case FULL -> " full";
                });
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < hash.probeKeys().size(); i++) {
            keys.add(
                    ScalarText.of(hash.probeKeys().get(i))
                            + " = "
                            + ScalarText.of(hash.buildKeys().get(i)));
        }
        if (!keys.isEmpty()) {
            line.append(" (").append(String.join(", ", keys)).append(')');
        }
        if (hash.rest() != null) {
            line.append(" where (").append(ScalarText.of(hash.rest())).append(')');
        }
        return line.toString();
    }

    private void subqueries(List<Scalar> scalars, int depth) {
        List<Subquery> found = new ArrayList<>();
        scalars.forEach(scalar -> PlanParts.subqueries(scalar, found));
        for (Subquery subquery : found) {
            Subquery.Nested query = subquery.query();
            add(depth, "Subquery " + query.number() + howOften(query), null);
            plan(query.plan(), depth + 1);
        }
    }

    private static String howOften(Subquery.Nested query) {
        if (!query.arguments().isEmpty()) {
            return " for each (" + list(query.arguments()) + ")";
        }
        return PlanParts.needs(query.plan()).length == 0 ? " once" : " (anew for each)";
    }

    /// @param called the table's name in the query, or empty
    private static String scan(Plan.Scan scan, String called) {
        StringBuilder line = new StringBuilder();
        if (scan.index() == null) {
            boolean whole =
                    scan.choices().isEmpty()
                            && scan.among() == null
                            && scan.bounds().equals(Plan.Bounds.NONE);
            line.append(whole ? "TableScan " : "KeyScan ").append(scan.table().name());
            line.append(alias(scan, called));
        } else {
            line.append("IndexScan ").append(scan.table().name());
            line.append(alias(scan, called));
            line.append(" using ").append(scan.index().name());
        }
        String bounds = bounds(scan);
        if (!bounds.isEmpty()) {
            line.append(" (").append(bounds).append(')');
        }
        return line.append(scan.descending() ? " descending" : "").toString();
    }

    private static String alias(Plan.Scan scan, String called) {
        return called.isEmpty() || called.equalsIgnoreCase(scan.table().name())
                ? ""
                : " AS " + called;
    }

    private static String bounds(Plan.Scan scan) {
        if (scan.among() != null) {
            return column(scan, 0) + " among few rows of the query";
        }
        List<String> choices = new ArrayList<>();
        List<Plan.Bounds> parts = scan.parts();
        boolean many = parts.size() > CHOICES_SHOWN;
        for (Plan.Bounds part : many ? parts.subList(0, CHOICES_SHOWN - 1) : parts) {
            choices.add(bounds(scan, part));
        }
        if (many) {
            choices.add((parts.size() - CHOICES_SHOWN + 1) + " more");
        }
        return String.join(" or ", choices);
    }

    private static String bounds(Plan.Scan scan, Plan.Bounds bounds) {
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
        return scan.keyName(i);
    }

    private static String aggregate(Plan.Aggregate aggregate) {
        List<String> parts = new ArrayList<>();
        for (AggregateCall call : aggregate.calls()) {
            parts.add(call.text(false));
        }
        String calls = "Aggregate (" + String.join(", ", parts) + ")";
        if (aggregate.sets().isEmpty()) {
            return aggregate.keys().isEmpty() ? calls : calls + " by " + list(aggregate.keys());
        }
        List<String> sets = new ArrayList<>();
        for (List<Integer> set : aggregate.sets()) {
            sets.add("(" + list(set.stream().map(aggregate.keys()::get).toList()) + ")");
        }
        return calls + " by sets " + String.join(", ", sets);
    }

    private static String window(Plan.Window window) {
        List<String> parts = new ArrayList<>();
        window.calls().forEach(call -> parts.add(call.text(false)));
        return "Window (" + String.join(", ", parts) + ")";
    }

    private static String sort(Plan.Sort sort) {
        List<String> parts = new ArrayList<>();
        for (SortKey key : sort.keys()) {
            parts.add(
                    column(sort.input(), key.column())
                            + (key.descending() ? " DESC" : "")
                            + (key.nullsFirst() == key.descending()
                                    ? ""
                                    : key.nullsFirst() ? " NULLS FIRST" : " NULLS LAST"));
        }
        return "Sort (" + String.join(", ", parts) + ")";
    }

    /// A text for column `i` of the rows of `plan`.
    private static String column(Plan plan, int i) {
        return switch (plan) {
            case Plan.Scan scan -> scan.table().columns().get(i).name();
            case Plan.OneRow row -> throw new IllegalStateException("a row without columns");
            case Plan.Computed computed -> computed.table().columns().get(i).name();
            case Plan.Rows rows -> "column" + (i + 1);
            case Plan.Working working -> "column" + (i + 1);
            case Plan.Returned returned -> "column" + (i + 1);
            case Plan.Joined joined -> "column" + (i + 1);
            case Plan.Aggregate aggregate -> {
                int keys = aggregate.keys().size();
                if (i < keys) {
                    yield ScalarText.of(aggregate.keys().get(i));
                }
                int calls = aggregate.sets().isEmpty() ? keys : keys + 1;
                yield i < calls ? "grouping set" : aggregate.calls().get(i - calls).text(false);
            }
            case Plan.Window window -> {
                int inputs = window.input().types().size();
                yield i < inputs
                        ? column(window.input(), i)
                        : window.calls().get(i - inputs).text(false);
            }
            case Plan.FileScan scan -> scan.table().columns().get(i).name();
            case Plan.Series series -> "generate_series";
            case Plan.RowsOf rows -> "column" + (i + 1);
            case Plan.Project project -> ScalarText.of(project.columns().get(i));
            case Plan.Filter filter -> column(filter.input(), i);
            case Plan.Distinct distinct -> column(distinct.input(), i);
            case Plan.Sort sort -> column(sort.input(), i);
            case Plan.Limit limit -> column(limit.input(), i);
            case Plan.Lock lock -> column(lock.input(), i);
            case Plan.Append append -> column(append.inputs().getFirst(), i);
            case Plan.Match match -> column(match.first(), i);
            case Plan.Kept kept -> column(kept.input(), i);
            case Plan.Recursive recursive -> column(recursive.first(), i);
        };
    }

    private static String limit(Plan.Limit limit) {
        List<String> parts = new ArrayList<>();
        if (limit.limit() != null) {
            String share = limit.limit().percent() ? " percent" : "";
            parts.add(ScalarText.of(limit.limit().value()) + share);
        }
        if (limit.offset() != null) {
            parts.add("offset " + ScalarText.of(limit.offset().value()));
        }
        if (!limit.ties().isEmpty()) {
            parts.add("with ties");
        }
        return "Limit (" + String.join(", ", parts) + ")";
    }

    private static String list(List<Scalar> scalars) {
        return String.join(", ", scalars.stream().map(ScalarText::of).toList());
    }
}
