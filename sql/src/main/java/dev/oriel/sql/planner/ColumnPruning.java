package dev.oriel.sql.planner;

import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Replacement;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.plan.WindowCall;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// Removes from a query the computations that its reader does not use. A column that is not read becomes NULL, so
/// that the others keep their positions. Aggregates and window functions that only such columns read are dropped.
/// An expression that is not computed costs nothing, and cannot fail.
///
/// Volatile expressions stay; a Java function may be one. DISTINCT and set operations other than UNION ALL use
/// every column, since they compare whole rows.
public final class ColumnPruning {
    private final BoundSelect select;
    private final Estimate estimate;

    private ColumnPruning(BoundSelect select, Estimate estimate) {
        this.select = select;
        this.estimate = estimate;
    }

    /// The same query reduced to the columns `asked`; `select` itself if nothing is gained.
    ///
    /// @param asked positions of columns; null for all
    public static BoundSelect of(BoundSelect select, @Nullable BitSet asked, Estimate estimate) {
        if (asked == null || select.distinct()) {
            return select;
        }
        ColumnPruning narrowing = new ColumnPruning(select, estimate);
        BitSet needed = narrowing.needed(asked);
        return narrowing.isWorthIt(needed) ? narrowing.narrowed(needed) : select;
    }

    /// Outputs that are requested, sort keys, or volatile.
    private BitSet needed(BitSet asked) {
        BitSet needed = (BitSet) asked.clone();
        needed.set(select.visible(), select.outputs().size());
        select.order().forEach(key -> needed.set(key.column()));
        for (int i = 0; i < select.outputs().size(); i++) {
            if (PlanParts.isVolatile(select.outputs().get(i).scalar())) {
                needed.set(i);
            }
        }
        return needed;
    }

    /// Whether pruning removes anything that is computed, stored or read. Plain columns of a table cost nothing
    /// until they are read.
    private boolean isWorthIt(BitSet needed) {
        boolean reads =
                select.from() instanceof BoundFrom.Join
                        || !select.order().isEmpty()
                        || (select.from() instanceof BoundFrom.Leaf leaf && leaf.replan() != null);
        for (int i = needed.nextClearBit(0); i < select.visible(); i = needed.nextClearBit(i + 1)) {
            if (reads || !isFree(select.outputs().get(i).scalar())) {
                return true;
            }
        }
        return false;
    }

    private boolean isFree(Scalar scalar) {
        if (scalar instanceof Scalar.ColumnRef ref) {
            BoundSelect.Grouping grouping = select.grouping();
            return ref.column() < (grouping == null ? WindowCall.FIRST : grouping.keys().size());
        }
        return scalar instanceof Scalar.Constant
                || scalar instanceof Scalar.ParameterRef
                || scalar instanceof Scalar.Argument;
    }

    private BoundSelect narrowed(BitSet needed) {
        List<BoundSelect.Output> outputs = new ArrayList<>();
        List<Scalar> left = new ArrayList<>();
        for (int i = 0; i < select.outputs().size(); i++) {
            BoundSelect.Output output = select.outputs().get(i);
            if (needed.get(i)) {
                outputs.add(output);
                continue;
            }
            if (!(output.scalar() instanceof Scalar.Constant)) {
                left.add(output.scalar());
            }
            Scalar none = Scalar.Constant.ofNull(output.scalar().type());
            outputs.add(new BoundSelect.Output(none, output.name(), output.table(), true, false));
        }
        if (!left.isEmpty()) {
            estimate.note(() -> "leave out: " + written(left) + ": not used");
        }
        return withoutAggregates(withoutWindows(outputs));
    }

    private static String written(List<Scalar> scalars) {
        return String.join(", ", scalars.stream().map(ScalarText::of).toList());
    }

    /// Drops window functions that none of `outputs` reads.
    private BoundSelect withoutWindows(List<BoundSelect.Output> outputs) {
        BitSet read = new BitSet();
        outputs.forEach(output -> read.or(PushDown.columns(output.scalar())));
        if (select.qualify() != null) {
            read.or(PushDown.columns(select.qualify()));
        }
        int[] places = new int[select.windows().size()];
        for (int i = places.length - 1; i >= 0; i--) {
            WindowCall call = select.windows().get(i);
            boolean java = call.aggregate() != null && call.aggregate().java() != null;
            if (read.get(WindowCall.FIRST + i)
                    || java
                    || call.scalars().stream().anyMatch(PlanParts::isVolatile)) {
                read.set(WindowCall.FIRST + i);
                call.scalars().forEach(scalar -> read.or(PushDown.columns(scalar)));
            }
        }
        List<WindowCall> kept = new ArrayList<>();
        for (int i = 0; i < places.length; i++) {
            places[i] = kept.size();
            if (read.get(WindowCall.FIRST + i)) {
                kept.add(select.windows().get(i));
            }
        }
        BoundSelect same = with(outputs, select.grouping(), kept, select.qualify());
        return kept.size() == places.length
                ? same
                : moved(
                        same,
                        column ->
                                column < WindowCall.FIRST
                                        ? column
                                        : WindowCall.FIRST + places[column - WindowCall.FIRST]);
    }

    /// Drops aggregates that nothing in `from` reads.
    private BoundSelect withoutAggregates(BoundSelect from) {
        BoundSelect.Grouping grouping = from.grouping();
        if (grouping == null) {
            return from;
        }
        BitSet read = new BitSet();
        from.outputs().forEach(output -> read.or(PushDown.columns(output.scalar())));
        for (WindowCall call : from.windows()) {
            call.scalars().forEach(scalar -> read.or(PushDown.columns(scalar)));
        }
        for (Scalar condition : conditions(grouping.having(), from.qualify())) {
            read.or(PushDown.columns(condition));
        }
        int first = grouping.keys().size() + (grouping.sets().isEmpty() ? 0 : 1);
        List<AggregateCall> kept = new ArrayList<>();
        int[] places = new int[grouping.aggregates().size()];
        for (int i = 0; i < places.length; i++) {
            AggregateCall call = grouping.aggregates().get(i);
            places[i] = first + kept.size();
            if (read.get(first + i)
                    || call.java() != null
                    || call.scalars().stream().anyMatch(PlanParts::isVolatile)) {
                kept.add(call);
            }
        }
        if (kept.size() == places.length) {
            return from;
        }
        BoundSelect.Grouping fewer =
                new BoundSelect.Grouping(
                        grouping.keys(), grouping.sets(), List.copyOf(kept), grouping.having());
        ColumnPruning rest = new ColumnPruning(from, estimate.silent());
        return rest.moved(
                rest.with(from.outputs(), fewer, from.windows(), from.qualify()),
                column ->
                        column < first || column >= WindowCall.FIRST
                                ? column
                                : places[column - first]);
    }

    private static List<Scalar> conditions(@Nullable Scalar having, @Nullable Scalar qualify) {
        List<Scalar> conditions = new ArrayList<>();
        if (having != null) {
            conditions.add(having);
        }
        if (qualify != null) {
            conditions.add(qualify);
        }
        return conditions;
    }

    private BoundSelect with(
            List<BoundSelect.Output> outputs,
            BoundSelect.@Nullable Grouping grouping,
            List<WindowCall> windows,
            @Nullable Scalar qualify) {
        return new BoundSelect(
                select.from(),
                select.where(),
                grouping,
                List.copyOf(windows),
                qualify,
                List.copyOf(outputs),
                select.visible(),
                select.distinct(),
                select.order(),
                select.limits());
    }

    /// `moving` with new positions for columns of groups and windows.
    private BoundSelect moved(BoundSelect moving, IntUnaryOperator position) {
        List<BoundSelect.Output> outputs = new ArrayList<>();
        for (BoundSelect.Output output : moving.outputs()) {
            Scalar scalar = moved(output.scalar(), position);
            outputs.add(
                    new BoundSelect.Output(
                            scalar,
                            output.name(),
                            output.table(),
                            output.untyped(),
                            output.asked()));
        }
        BoundSelect.Grouping grouping = moving.grouping();
        if (grouping != null && grouping.having() != null) {
            Scalar having = moved(grouping.having(), position);
            grouping =
                    new BoundSelect.Grouping(
                            grouping.keys(), grouping.sets(), grouping.aggregates(), having);
        }
        List<WindowCall> windows = new ArrayList<>();
        for (WindowCall call : moving.windows()) {
            windows.add(call.replaced(leaf -> leaf(leaf, position)));
        }
        Scalar qualify = moving.qualify() == null ? null : moved(moving.qualify(), position);
        return with(outputs, grouping, windows, qualify);
    }

    private static Scalar moved(Scalar scalar, IntUnaryOperator position) {
        return Replacement.of(scalar, leaf -> leaf(leaf, position));
    }

    private static Scalar leaf(Scalar leaf, IntUnaryOperator position) {
        return leaf instanceof Scalar.ColumnRef ref
                ? new Scalar.ColumnRef(
                        position.applyAsInt(ref.column()), ref.type(), ref.nullable(), ref.name())
                : leaf;
    }
}
