package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Collects the rows of one of PostgreSQL's tables.
final class PgRows {
    private final List<Prepared.OutputColumn> columns = new ArrayList<>();
    private final List<List<Scalar>> rows = new ArrayList<>();

    /// @param specification column names, separated by blanks, with suffixes: `:n` for numbers, `:b` for booleans,
    ///     `:a` for arrays of numbers
    PgRows(String specification) {
        for (String column : specification.split(" ", -1)) {
            int end = column.indexOf(':');
            String name = end < 0 ? column : column.substring(0, end);
            Type type =
                    switch (end < 0 ? ' ' : column.charAt(end + 1)) {
                        case 'n' -> Typing.BIGINT;
                        case 'b' -> Typing.BOOLEAN;
                        case 'a' -> Type.array(Typing.BIGINT);
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
                        case List<?> numbers -> Scalar.Constant.of(type, (Object) array(numbers));
                        default -> Scalar.Constant.of(type, values[i]);
                    });
        }
        rows.add(List.copyOf(row));
    }

    private static byte[] array(List<?> numbers) {
        Tuple elements = new Tuple(numbers.size());
        for (int i = 0; i < numbers.size(); i++) {
            elements.setLong(i, ((Number) numbers.get(i)).longValue());
        }
        return ArrayValue.of(Typing.BIGINT, elements, numbers.size());
    }

    BoundQuery bound() {
        List<Type> types = columns.stream().map(Prepared.OutputColumn::type).toList();
        List<Boolean> untyped = columns.stream().map(_ -> false).toList();
        return new BoundQuery(
                new Plan.Rows(List.copyOf(rows), types), List.copyOf(columns), untyped);
    }
}
