package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Collects the rows of one of PostgreSQL's tables.
final class PgRows {
    /// The type `int2vector`, which `oidvector` equals.
    private static final Type VECTOR =
            Type.of(
                    new DomainType(
                            0, "int2vector", Type.array(Typing.BIGINT), false, null, List.of()));

    static boolean isVector(Type type) {
        return type.equals(VECTOR);
    }

    /// Subscript of the first element of an array of type `array`.
    static long first(Type array) {
        return isVector(array) ? 0 : 1;
    }

    private final List<Prepared.OutputColumn> columns = new ArrayList<>();
    private final List<List<Scalar>> rows = new ArrayList<>();

    /// @param specification column names, separated by blanks, with suffixes: `:n` for numbers, `:b` for booleans,
    ///     `:a` for arrays of numbers, `:v` for such arrays whose subscripts begin at 0, `:t` for arrays of texts
    PgRows(String specification) {
        for (String column : specification.split(" ", -1)) {
            int end = column.indexOf(':');
            String name = end < 0 ? column : column.substring(0, end);
            Type type =
                    switch (end < 0 ? ' ' : column.charAt(end + 1)) {
                        case 'n' -> Typing.BIGINT;
                        case 'b' -> Typing.BOOLEAN;
                        case 'a' -> Type.array(Typing.BIGINT);
                        case 'v' -> VECTOR;
                        case 't' -> Type.array(Typing.TEXT);
                        default -> Typing.TEXT;
                    };
            columns.add(new Prepared.OutputColumn(name, type, true, ""));
        }
    }

    /// Adds a row, with a value for each column.
    void add(@Nullable Object... values) {
        if (values.length != columns.size()) {
            throw new IllegalStateException(
                    values.length + " values for " + columns.size() + " columns");
        }
        List<Scalar> row = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            Type type = columns.get(i).type();
            row.add(
                    switch (values[i]) {
                        case null -> Scalar.Constant.ofNull(type);
                        case Boolean truth -> Scalar.Constant.of(truth);
                        case Number number -> Scalar.Constant.of(type, number.longValue());
                        case List<?> elements ->
                                Scalar.Constant.of(type, (Object) array(type, elements));
                        default -> Scalar.Constant.of(type, values[i]);
                    });
        }
        rows.add(List.copyOf(row));
    }

    private static byte[] array(Type type, List<?> values) {
        Tuple elements = new Tuple(values.size());
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) instanceof Number number) {
                elements.setLong(i, number.longValue());
            } else {
                elements.setText(i, (String) values.get(i));
            }
        }
        return ArrayValue.of(Typing.element(type), elements, values.size());
    }

    /// Columns without rows.
    List<Prepared.OutputColumn> columns() {
        return List.copyOf(columns);
    }

    BoundQuery bound() {
        List<Type> types = columns.stream().map(Prepared.OutputColumn::type).toList();
        List<Boolean> untyped = columns.stream().map(_ -> false).toList();
        return new BoundQuery(
                new Plan.Rows(List.copyOf(rows), types), List.copyOf(columns), untyped);
    }
}
