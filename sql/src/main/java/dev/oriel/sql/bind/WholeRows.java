package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Correlation.WholeRow;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Literal;
import dev.oriel.sql.syntax.Expression.Name;
import dev.oriel.sql.syntax.Expression.RowValue;
import dev.oriel.sql.syntax.Function;
import dev.oriel.table.definition.Column;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows as operands: `ROW(a, b)`, or a table of the FROM or of an outer query, called `t` or `t.*`. They become their
/// values if the operation takes these singly, and a composite value otherwise.
final class WholeRows {
    private final ScalarBinder scalars;

    WholeRows(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    /// The table that `expression` names as a whole; null if it is something else.
    private @Nullable WholeRow table(Expression expression) {
        if (!(expression instanceof Name name)) {
            return null;
        }
        if (name.name().equals(Name.ALL) && name.qualifier() != null) {
            return scalars.row(name.qualifier());
        }
        WholeRow row = name.qualifier() == null ? scalars.row(name.name()) : null;
        return row != null && scalars.meaning(name) == null ? row : null;
    }

    /// Whether `expression` is a table of the FROM.
    boolean isTable(Expression expression) {
        return table(expression) != null;
    }

    /// The values of a row or table; null if `expression` is neither.
    @Nullable RowValue values(Expression expression) {
        if (expression instanceof RowValue row) {
            return expanded(row);
        }
        WholeRow table = table(expression);
        return table == null
                ? null
                : new RowValue(expression.position(), columns(table, expression));
    }

    /// `row` with the columns of each `t.*` in it.
    RowValue expanded(RowValue row) {
        List<Expression> values = new ArrayList<>();
        for (Expression value : row.values()) {
            boolean star = value instanceof Name name && name.name().equals(Name.ALL);
            WholeRow table = star ? table(value) : null;
            if (table == null) {
                values.add(value);
            } else {
                values.addAll(columns(table, value));
            }
        }
        return new RowValue(row.position(), List.copyOf(values));
    }

    private static List<Expression> columns(WholeRow table, Expression expression) {
        List<Expression> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            if (!column.name().isEmpty()) {
                columns.add(new Name(expression.position(), called(expression), column.name()));
            }
        }
        return List.copyOf(columns);
    }

    /// The name by which `expression` refers to its table.
    private static @Nullable String called(Expression expression) {
        return expression instanceof Name name && name.qualifier() != null
                ? name.qualifier()
                : expression instanceof Name name ? name.name() : null;
    }

    /// `expression` as an operand of a function of JSON: an object instead of a row.
    Expression json(Expression expression) {
        RowValue row = values(expression);
        if (row == null) {
            return expression;
        }
        return ifPresent(expression, named(expression, row, Function.JSON_OBJECT));
    }

    /// The table that `name` calls as a composite value; null if it is none.
    @Nullable Expression composite(Name name) {
        RowValue row = values(name);
        return row == null ? null : ifPresent(name, named(name, row, Function.COMPOSITE_NAMED));
    }

    /// A call of `function` with the names and values of `row`, which is the value of `expression`.
    private static Expression named(Expression expression, RowValue row, Function function) {
        int position = expression.position();
        List<Expression> parts = new ArrayList<>();
        int number = 0;
        for (Expression value : row.values()) {
            number++;
            String name =
                    !(expression instanceof RowValue) && value instanceof Name column
                            ? column.name()
                            : "f" + number;
            parts.add(new Literal(position, Literal.Kind.STRING, name));
            parts.add(value);
        }
        return new Expression.Call(position, function.called(), List.copyOf(parts));
    }

    /// `expression` as the operand of COUNT: not NULL for each row.
    ///
    /// @param distinct whether different rows have different values
    Expression counted(Expression expression, boolean distinct) {
        int position = expression.position();
        return distinct || values(expression) == null
                ? json(expression)
                : ifPresent(expression, new Literal(position, Literal.Kind.BOOLEAN, "TRUE"));
    }

    /// `value`, or NULL for a row padded by an outer join, known by a NULL in a NOT NULL column or by NULLs in all
    /// columns.
    private Expression ifPresent(Expression expression, Expression value) {
        WholeRow table = table(expression);
        if (table == null || !table.padded()) {
            return value;
        }
        int position = expression.position();
        List<Expression> tests = new ArrayList<>();
        for (Column column : table.columns()) {
            if (column.name().isEmpty()) {
                continue;
            }
            Expression test =
                    new Expression.IsNull(
                            position, new Name(position, called(expression), column.name()), true);
            if (!column.nullable()) {
                tests = List.of(test);
                break;
            }
            tests.add(test);
        }
        Expression present =
                tests.size() == 1
                        ? tests.getFirst()
                        : new Expression.Logical(position, false, List.copyOf(tests));
        return new Expression.Case(
                position, null, List.of(new Expression.When(present, value)), null);
    }
}
