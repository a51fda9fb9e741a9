package dev.oriel.sql.plan;

import dev.oriel.table.definition.Type;
import dev.oriel.table.row.RowTests;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A condition on the rows of one table, split into tests by the table's cursor on encoded rows, and a residual
/// predicate.
public final class ScanTests {
    private final int first;
    private final int width;
    private final RowTests tests;
    private final List<Scalar> tested = new ArrayList<>();
    private final List<Scalar> others = new ArrayList<>();

    private ScanTests(int first, int width, RowTests tests) {
        this.first = first;
        this.width = width;
        this.tests = tests;
    }

    /// The parts of `condition`; null if the cursor can test none.
    ///
    /// @param first position of the table's first column in the row that the condition refers to
    /// @param width number of columns of the table
    public static @Nullable ScanTests of(
            Scalar condition, int first, int width, Execution execution) {
        // No lambda: it would delay the first query of a process.
        RowTests tests =
                new RowTests(
                        new Runnable() {
                            @Override
                            public void run() {
                                execution.poll();
                            }
                        });
        ScanTests parts = new ScanTests(first, width, tests);
        parts.part(condition);
        return parts.tested.isEmpty() ? null : parts;
    }

    public RowTests tests() {
        return tests;
    }

    /// The tests as an expression, for rows that the tests cannot decide.
    public Scalar tested() {
        return all(tested);
    }

    /// The residual predicate; null if there is none.
    public @Nullable Scalar others() {
        return others.isEmpty() ? null : all(others);
    }

    private static Scalar all(List<Scalar> conditions) {
        return conditions.size() == 1
                ? conditions.getFirst()
                : new Condition.Logical(true, List.copyOf(conditions));
    }

    private void part(Scalar condition) {
        if (condition instanceof Condition.Logical all && all.and()) {
            all.terms().forEach(this::part);
        } else {
            (take(condition) ? tested : others).add(condition);
        }
    }

    private boolean take(Scalar condition) {
        if (condition instanceof Condition.Comparison c) {
            ColumnTest test = c.test();
            return test != null ? take(test) : columns(c) || text(c);
        }
        if (condition instanceof Condition.Between c) {
            ColumnTest test = c.test();
            return test != null && take(test);
        }
        boolean negated = condition instanceof Condition.Not;
        Scalar positive = condition instanceof Condition.Not not ? not.operand() : condition;
        if (positive instanceof Condition.In c) {
            return in(c, negated);
        }
        return positive instanceof Condition.Like c && like(c, negated);
    }

    private boolean isOwn(int column) {
        return column >= first && column < first + width;
    }

    private boolean take(ColumnTest test) {
        if (!isOwn(test.column())) {
            return false;
        }
        int column = test.column() - first;
        long least = test.least();
        long most = test.most();
        boolean outside = test.outside();
        if (outside && most == Long.MAX_VALUE && least > Long.MIN_VALUE) { // less
            most = least - 1;
            least = Long.MIN_VALUE;
            outside = false;
        } else if (outside && least == Long.MIN_VALUE && most < Long.MAX_VALUE) { // greater
            least = most + 1;
            most = Long.MAX_VALUE;
            outside = false;
        }
        if (test.scale() == Scalar.NO_SCALE) {
            tests.range(column, least, most, outside);
        } else {
            tests.range(column, test.scale(), least, most, outside);
        }
        return true;
    }

    private boolean columns(Condition.Comparison c) {
        if (!(c.left() instanceof Scalar.ColumnRef left)
                || !(c.right() instanceof Scalar.ColumnRef right)
                || !isOwn(left.column())
                || !isOwn(right.column())
                || left.type().shape() != Type.Shape.LONG
                || right.type().shape() != Type.Shape.LONG) {
            return false;
        }
        tests.order(
                left.column() - first,
                right.column() - first,
                c.operator().holds(-1),
                c.operator().holds(0),
                c.operator().holds(1));
        return true;
    }

    private boolean text(Condition.Comparison c) {
        boolean mirrored = c.left() instanceof Scalar.Constant;
        Scalar operand = mirrored ? c.right() : c.left();
        String value = text(mirrored ? c.left() : c.right());
        boolean equal = c.operator().holds(0);
        if (value == null || !isText(operand) || c.operator().holds(-1) != c.operator().holds(1)) {
            return false;
        }
        tests.among(column(operand), List.of(value), !equal);
        return true;
    }

    private boolean in(Condition.In c, boolean outside) {
        if (isText(c.operand())) {
            List<String> values = new ArrayList<>();
            for (Scalar one : c.list()) {
                String value = text(one);
                if (value == null) {
                    return false;
                }
                values.add(value);
            }
            tests.among(column(c.operand()), values, outside);
            return true;
        }
        if (outside
                || !(c.operand() instanceof Scalar.ColumnRef column)
                || !isOwn(column.column())
                || column.type().shape() != Type.Shape.LONG) {
            return false;
        }
        long[] values = new long[c.list().size()];
        for (int i = 0; i < values.length; i++) {
            if (!(c.list().get(i) instanceof Scalar.Constant constant)
                    || constant.isNull()
                    || constant.type().shape() != Type.Shape.LONG) {
                return false;
            }
            values[i] = constant.primitive();
        }
        tests.among(column.column() - first, values);
        return true;
    }

    private boolean like(Condition.Like c, boolean outside) {
        LikeParts parts = c.parts();
        if (parts == null || !isText(c.operand())) {
            return false;
        }
        tests.parts(column(c.operand()), parts.parts(), outside);
        return true;
    }

    /// Whether `operand` is a column of the table that holds text.
    private boolean isText(Scalar operand) {
        return operand instanceof Scalar.ColumnRef column
                && isOwn(column.column())
                && column.type().shape() == Type.Shape.TEXT;
    }

    private int column(Scalar operand) {
        return ((Scalar.ColumnRef) operand).column() - first;
    }

    /// The text of a constant, if it equals a column's value just when their bytes are equal; else null.
    private static @Nullable String text(Scalar scalar) {
        if (!(scalar instanceof Scalar.Constant constant)
                || !(constant.reference() instanceof String text)) {
            return null;
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return null;
            }
        }
        return text;
    }
}
