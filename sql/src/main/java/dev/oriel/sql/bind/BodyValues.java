package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Correlation;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The values of a body: columns of the rows of a trigger, or parameters of a routine. They are its outermost names,
/// so that columns of its tables hide them.
public final class BodyValues implements Correlation.Names {
    /// A value.
    ///
    /// @param row name of its row; empty if it is no column
    /// @param column null if it is no column
    /// @param writable whether SET may change it
    record Value(String row, String name, Type type, @Nullable Column column, boolean writable) {}

    private final String routine;
    private final List<Value> values = new ArrayList<>();

    /// @param routine name by which values that are no columns may be qualified; empty for none
    BodyValues(String routine) {
        this.routine = routine;
    }

    /// Adds the columns of the row called `row`.
    void add(String row, List<Column> columns, boolean writable) {
        for (Column column : columns) {
            values.add(new Value(row, column.name(), column.type(), column, writable));
        }
    }

    /// Adds a value that is no column.
    void add(String name, Type type, boolean writable) {
        values.add(new Value("", name, type, null, writable));
    }

    int count() {
        return values.size();
    }

    Value value(int position) {
        return values.get(position);
    }

    /// The position of a value; -1 if there is none.
    int position(@Nullable Identifier row, Identifier name) {
        return position(row == null ? null : row.name(), name.name());
    }

    private int position(@Nullable String qualifier, String name) {
        for (int i = 0; i < values.size(); i++) {
            Value value = values.get(i);
            boolean own =
                    value.row.isEmpty()
                            ? qualifier == null || qualifier.equalsIgnoreCase(routine)
                            : value.row.equalsIgnoreCase(qualifier);
            boolean numbered =
                    value.row.isEmpty() && qualifier == null && name.equals("$" + (i + 1));
            if (numbered || (own && !value.name.isEmpty() && value.name.equalsIgnoreCase(name))) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public @Nullable Scalar named(Expression.Name name) {
        int position = position(name.qualifier(), name.name());
        return position < 0 ? null : new Scalar.ParameterRef(position, values.get(position).type());
    }

    @Override
    public @Nullable Scalar meaning(Expression.Name name) {
        return named(name);
    }

    @Override
    public Correlation.@Nullable WholeRow row(String name) {
        List<Column> columns = new ArrayList<>();
        for (Value value : values) {
            Column column = value.column;
            if (column != null && value.row.equalsIgnoreCase(name)) {
                columns.add(column);
            }
        }
        return columns.isEmpty() ? null : new Correlation.WholeRow(columns, false);
    }

    @Override
    public boolean isBody() {
        return true;
    }

    @Override
    public Scalar aggregated(Expression.Call call, int hops) {
        throw new IllegalStateException("a body around its statements has no aggregate");
    }
}
