package dev.oriel.sql.planner;

import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Replacement;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.WindowCall;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Plans the window functions of a query. Below them is a projection to the columns still needed, since all rows
/// are buffered; above them is QUALIFY.
final class WindowPlanner {
    private final int[] positions;
    private final int width;
    private final Plan plan;
    private final List<Scalar> outputs;

    WindowPlanner(Plan input, BoundSelect select, List<Scalar> outputs) {
        BitSet used = new BitSet();
        outputs.forEach(output -> PlanParts.columns(output, used));
        select.windows()
                .forEach(call -> call.scalars().forEach(scalar -> PlanParts.columns(scalar, used)));
        if (select.qualify() != null) {
            PlanParts.columns(select.qualify(), used);
        }
        int inputs = input.types().size();
        this.positions = new int[inputs];
        List<Scalar> kept = new ArrayList<>();
        for (int i = used.nextSetBit(0); i >= 0 && i < inputs; i = used.nextSetBit(i + 1)) {
            positions[i] = kept.size();
            kept.add(read(i, input, select, outputs));
        }
        this.width = kept.size();
        Plan below = kept.size() == inputs ? input : new Plan.Project(input, List.copyOf(kept));
        Plan above = windows(below, select.windows());
        Scalar qualify = select.qualify();
        this.plan = qualify == null ? above : new Plan.Filter(above, replaced(qualify));
        this.outputs = outputs.stream().map(this::replaced).toList();
    }

    Plan plan() {
        return plan;
    }

    /// The outputs in terms of the columns of [#plan].
    List<Scalar> outputs() {
        return outputs;
    }

    /// `below` with a column added for each of `calls`. A call may read the results of earlier calls: then it is
    /// computed above them.
    private Plan windows(Plan below, List<WindowCall> calls) {
        Plan above = below;
        int first = 0;
        for (int i = 1; i <= calls.size(); i++) {
            if (i == calls.size() || reads(calls.get(i).scalars(), WindowCall.FIRST + first)) {
                List<WindowCall> together = calls.subList(first, i);
                above =
                        new Plan.Window(
                                above,
                                together.stream()
                                        .map(call -> call.replaced(this::column))
                                        .toList());
                first = i;
            }
        }
        return above;
    }

    /// Whether one of `scalars` reads a column from `first` on.
    private static boolean reads(List<Scalar> scalars, int first) {
        for (Scalar scalar : scalars) {
            if ((scalar instanceof Scalar.ColumnRef ref && ref.column() >= first)
                    || reads(Scalar.operands(scalar), first)) {
                return true;
            }
        }
        return false;
    }

    /// Column `i` of `input`, with its name in an expression.
    private static Scalar read(int i, Plan input, BoundSelect select, List<Scalar> outputs) {
        List<Scalar> all = new ArrayList<>(outputs);
        select.windows().forEach(call -> all.addAll(call.scalars()));
        if (select.qualify() != null) {
            all.add(select.qualify());
        }
        for (Scalar scalar : all) {
            Scalar found = find(scalar, i);
            if (found != null) {
                return found;
            }
        }
        return new Scalar.ColumnRef(i, input.types().get(i), true, "column" + (i + 1));
    }

    private static @Nullable Scalar find(Scalar scalar, int column) {
        if (scalar instanceof Scalar.ColumnRef ref) {
            return ref.column() == column ? ref : null;
        }
        for (Scalar operand : Scalar.operands(scalar)) {
            Scalar found = find(operand, column);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private Scalar replaced(Scalar scalar) {
        return Replacement.of(scalar, this::column);
    }

    private Scalar column(Scalar leaf) {
        if (!(leaf instanceof Scalar.ColumnRef ref)) {
            return leaf;
        }
        int column =
                ref.column() >= WindowCall.FIRST
                        ? width + ref.column() - WindowCall.FIRST
                        : positions[ref.column()];
        return new Scalar.ColumnRef(column, ref.type(), ref.nullable(), ref.name());
    }
}
