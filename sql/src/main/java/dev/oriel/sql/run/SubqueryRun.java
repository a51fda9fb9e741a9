package dev.oriel.sql.run;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.Subquery;
import dev.oriel.sql.rows.KeySet;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Order;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// A subquery in an execution: its operators, and its cached result in this run.
public final class SubqueryRun implements Subquery.Run {
    private final Execution execution;
    private final Operator root;
    private final int number;
    private final Scalar[] arguments;
    private final Tuple given;

    /// Numbers of the outer queries on which the result depends, besides its own arguments.
    private final int[] needs;

    /// Whether equal arguments give equal results.
    private final boolean stable;

    private final Type.Shape shape;
    private final Type.Shape[] shapes;
    private final int columns;
    private final Tuple value;
    private final Tuple compared;
    private final Tuple sought = new Tuple(1);
    private final Tuple soughtBefore = new Tuple(1);
    private final RowKey probe;
    private final QueryMemory.Share share;
    private final KeySet keys;

    /// Values of the first column, and rows with a NULL.
    private final RowSpool values;

    private final RowSpool partial;
    private boolean exists;
    private int truth;
    private boolean hasNull;

    /// Whether the result took all rows, and whether they are kept.
    private boolean whole;

    private boolean kept;

    /// The run of the cached result, and the change count of its dependencies at that time.
    private long answered = -1;

    private long answeredChanges;

    public SubqueryRun(Subquery.Nested query, Execution execution) {
        this.execution = execution;
        this.root = Operator.ofWhole(query.plan(), execution);
        this.number = query.number();
        this.arguments = query.arguments().toArray(Scalar[]::new);
        this.needs = IntStream.of(PlanParts.needs(query.plan())).filter(n -> n != number).toArray();
        this.stable = arguments.length == 0 || !PlanParts.isVolatile(query.plan());
        this.given = execution.arguments(query.number(), arguments.length);
        List<Type> types = query.plan().types();
        this.shape = types.isEmpty() ? Type.Shape.LONG : types.getFirst().shape();
        this.columns = types.size();
        this.shapes = Typing.shapes(types);
        this.value = new Tuple(Math.max(columns, 1));
        this.compared = new Tuple(arguments.length);
        this.probe = new RowKey(types);
        this.share = execution.memory().share();
        this.keys = new KeySet(execution.cancellation(), share, types);
        this.values = new RowSpool(execution.cancellation(), share, new Type.Shape[] {shape});
        this.partial = new RowSpool(execution.cancellation(), share, shapes);
    }

    /// Whether the cached result is still valid.
    private boolean isAnswered(Frame outer) {
        return stable && isGivenAgain(outer);
    }

    /// Whether the arguments are the same as for the last call in this run, and no outer query that it depends on
    /// has changed since.
    private boolean isGivenAgain(Frame outer) {
        boolean same = answered == execution.run() && answeredChanges == execution.changes(needs);
        for (int i = 0; i < arguments.length && same; i++) {
            boolean present = arguments[i].store(compared, i, outer);
            same =
                    present
                            ? !given.isNull(i)
                                    && Order.identical(
                                            arguments[i].type().shape(), compared, i, given, i)
                            : given.isNull(i);
        }
        return same;
    }

    /// Runs the query again.
    private void open(Frame outer) {
        answered = execution.run();
        answeredChanges = execution.changes(needs);
        whole = false;
        kept = false;
        for (int i = 0; i < arguments.length; i++) {
            arguments[i].store(given, i, outer);
        }
        if (arguments.length > 0) {
            execution.changed(number);
        }
        root.open();
    }

    private boolean next() {
        execution.poll();
        return root.next();
    }

    @Override
    public Row value(Frame outer, int column, SqlText.Place place) {
        if (column > 0 ? isGivenAgain(outer) : isAnswered(outer)) {
            return value;
        }
        boolean done = false;
        try {
            open(outer);
            if (next()) {
                Row row = root.row();
                for (int i = 0; i < columns; i++) {
                    value.copy(i, row, i, shapes[i]);
                }
                if (next()) {
                    throw place.error(
                            Kind.TOO_MANY_ROWS,
                            "A subquery used as a value returned more than one row");
                }
            } else {
                for (int i = 0; i < columns; i++) {
                    value.setNull(i);
                }
            }
            done = true;
        } finally {
            close(done);
        }
        return value;
    }

    @Override
    public boolean exists(Frame outer) {
        if (isAnswered(outer)) {
            return exists;
        }
        boolean done = false;
        try {
            open(outer);
            exists = next();
            done = true;
        } finally {
            close(done);
        }
        return exists;
    }

    private void close(boolean done) {
        root.close();
        if (!done) {
            answered = -1;
        }
    }

    @Override
    public int any(Frame outer, Expression.Operator operator, Scalar operand) {
        if (arguments.length > 0 && !(whole && isAnswered(outer))) {
            operand.store(sought, 0, outer);
            if (!isAnswered(outer) || !isSoughtAgain(operand.type().shape())) {
                truth = anyPulled(outer, operator);
                soughtBefore.copy(0, sought, 0, operand.type().shape());
            }
            return truth;
        }
        if (operator == Expression.Operator.EQUAL) {
            keep(outer);
            if (keys.isEmpty() && !hasNull) {
                return 0;
            }
            if (!operand.store(probe.values(), 0, outer)) {
                return Scalar.UNKNOWN;
            }
            probe.rehash();
            return keys.contains(probe) ? 1 : hasNull ? Scalar.UNKNOWN : 0;
        }
        keepValues(outer);
        return anyKept(outer, operator, operand);
    }

    /// Stops at the first match. Rows are kept only if there was none, and the query is called with the same
    /// arguments again.
    private int anyPulled(Frame outer, Expression.Operator operator) {
        boolean present = !sought.isNull(0);
        int found = 0;
        boolean done = false;
        try {
            open(outer);
            while (found != 1 && next()) {
                int one = present ? holds(operator, root.row()) : Scalar.UNKNOWN;
                found = one == 0 ? found : one;
            }
            whole = found != 1;
            done = true;
        } finally {
            close(done);
        }
        return found;
    }

    private boolean isSoughtAgain(Type.Shape of) {
        return sought.isNull(0)
                ? soughtBefore.isNull(0)
                : !soughtBefore.isNull(0) && Order.identical(of, sought, 0, soughtBefore, 0);
    }

    private int anyKept(Frame outer, Expression.Operator operator, Scalar operand) {
        if (values.isEmpty()) {
            return 0;
        }
        if (!operand.store(sought, 0, outer)) {
            return Scalar.UNKNOWN;
        }
        int truth = 0;
        RowSpool.Reader reader = values.reader();
        for (Tuple next = reader.next(); next != null; next = reader.next()) {
            execution.poll();
            int one = holds(operator, next);
            if (one == 1) {
                truth = 1;
                break;
            }
            truth = one == Scalar.UNKNOWN ? one : truth;
        }
        reader.close();
        return truth;
    }

    private int holds(Expression.Operator operator, Row row) {
        if (row.isNull(0)) {
            return Scalar.UNKNOWN;
        }
        return Condition.Comparison.holds(operator, Order.compare(shape, sought, 0, row, 0));
    }

    @Override
    public int anyRow(Frame outer, List<Scalar> operands) {
        keep(outer);
        boolean operandNull = false;
        for (int i = 0; i < operands.size(); i++) {
            operandNull |= !operands.get(i).store(probe.values(), i, outer);
        }
        if (!operandNull) {
            probe.rehash();
            if (keys.contains(probe)) {
                return 1;
            }
        } else if (keys.any(this::mayEqual)) {
            return Scalar.UNKNOWN;
        }
        return anyPartial() ? Scalar.UNKNOWN : 0;
    }

    private boolean anyPartial() {
        if (partial.isEmpty()) {
            return false;
        }
        RowSpool.Reader reader = partial.reader();
        boolean found = false;
        for (Tuple next = reader.next(); next != null && !found; next = reader.next()) {
            execution.poll();
            found = mayEqual(next);
        }
        reader.close();
        return found;
    }

    /// Whether `row` equals the operands in all columns in which neither is NULL.
    private boolean mayEqual(Tuple row) {
        for (int i = 0; i < columns; i++) {
            if (!row.isNull(i)
                    && !probe.values().isNull(i)
                    && Order.compare(shapes[i], row, i, probe.values(), i) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean eachKept(Frame outer, int most, Consumer<Tuple> each) {
        keep(outer);
        return keys.count() <= most
                && !keys.any(key -> {
                    each.accept(key);
                    return false;
                });
    }

    @Override
    public boolean member(Frame outer, List<Scalar> operands) {
        keep(outer);
        for (int i = 0; i < operands.size(); i++) {
            if (!operands.get(i).store(probe.values(), i, outer)) {
                return false;
            }
        }
        probe.rehash();
        return keys.contains(probe);
    }

    /// Materializes the distinct rows in `keys`. Rows of several columns with a NULL go to `partial`.
    private void keep(Frame outer) {
        if (kept && isAnswered(outer)) {
            return;
        }
        keys.clear();
        partial.clear();
        hasNull = false;
        boolean done = false;
        try {
            open(outer);
            while (next()) {
                Row row = root.row();
                boolean isNull = false;
                for (int i = 0; i < columns; i++) {
                    isNull |= row.isNull(i);
                }
                hasNull |= isNull;
                if (isNull && columns > 1) {
                    partial.add(row);
                } else if (!isNull) {
                    probe.set(row);
                    keys.add(probe);
                }
            }
            whole = true;
            kept = true;
            done = true;
        } finally {
            close(done);
        }
    }

    private void keepValues(Frame outer) {
        if (kept && isAnswered(outer)) {
            return;
        }
        values.clear();
        boolean done = false;
        try {
            open(outer);
            while (next()) {
                values.add(root.row());
            }
            whole = true;
            kept = true;
            done = true;
        } finally {
            close(done);
        }
    }

    @Override
    public void release() {
        answered = -1;
        keys.clear();
        values.clear();
        partial.clear();
    }
}
