package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.DayComparison;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Expression.RowValue;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import java.util.ArrayList;
import java.util.List;

/// Binds comparisons of `(a, b, ...)` as conditions on single values, so that an index on them is found as for
/// other conditions.
final class RowValueBinder {
    private final ScalarBinder scalars;
    private final SqlText source;

    RowValueBinder(ScalarBinder scalars) {
        this.scalars = scalars;
        this.source = scalars.source();
    }

    static boolean isRowOrQuery(Expression expression) {
        return expression instanceof RowValue || expression instanceof Expression.Subquery;
    }

    private List<Expression> values(Expression expression, int wanted) {
        RowValue row = new WholeRows(scalars).values(expression);
        if (row == null || row.values().size() != wanted) {
            int found = row == null ? 1 : row.values().size();
            throw source.error(
                    Kind.SYNTAX,
                    expression.position(),
                    "Rows of different lengths cannot be compared: " + wanted + " and " + found);
        }
        return row.values();
    }

    private int length(Expression left, Expression right) {
        RowValue row = new WholeRows(scalars).values(left);
        RowValue other = row == null ? new WholeRows(scalars).values(right) : row;
        return other == null ? 1 : other.values().size();
    }

    /// Whether `left` and `right` are compared as rows. A row beside another composite value is one itself.
    boolean applies(Expression left, Expression right) {
        boolean either = left instanceof RowValue || right instanceof RowValue;
        if (either && right instanceof Expression.Subquery) {
            return true;
        }
        WholeRows rows = new WholeRows(scalars);
        return (either || rows.isTable(left) || rows.isTable(right))
                && rows.values(left) != null
                && rows.values(right) != null;
    }

    /// Whether all elements of the list of `in` are rows.
    boolean isOfRows(Expression.In in) {
        WholeRows rows = new WholeRows(scalars);
        return in.list().stream().allMatch(element -> rows.values(element) != null);
    }

    /// Binds `(a, b) operator (c, d)`.
    Scalar comparison(Expression.Binary binary) {
        WholeRows rows = new WholeRows(scalars);
        boolean equality =
                binary.operator() == Operator.EQUAL || binary.operator() == Operator.NOT_EQUAL;
        if (equality && (rows.isTable(binary.left()) || rows.isTable(binary.right()))) {
            // As in PostgreSQL, NULL equals NULL within whole rows.
            return distinct(
                    new Expression.IsDistinct(
                            binary.position(),
                            binary.left(),
                            binary.right(),
                            binary.operator() == Operator.EQUAL));
        }
        RowValue row = rows.values(binary.left());
        if (row != null && binary.right() instanceof Expression.Subquery query) {
            return new SubqueryBinder(scalars).comparison(row, binary, query);
        }
        int length = length(binary.left(), binary.right());
        List<Expression> left = values(binary.left(), length);
        List<Expression> right = values(binary.right(), length);
        int position = binary.position();
        return comparison(
                length,
                binary.operator(),
                (i, operator) -> compared(left.get(i), right.get(i), operator, position));
    }

    /// Compares the values at one place of two rows.
    interface Pairs {
        Scalar compared(int place, Operator operator);
    }

    /// Two rows of scalars, as pairs.
    Pairs pairs(List<Scalar> left, List<Scalar> right, int position) {
        return (i, operator) -> {
            Scalar[] pair = scalars.compared(left.get(i), right.get(i), position, operator);
            return Folding.fold(
                    DayComparison.of(new Condition.Comparison(operator, pair[0], pair[1])));
        };
    }

    /// The comparison of two rows of `length` values.
    static Scalar comparison(int length, Operator operator, Pairs pairs) {
        return switch (operator) {
            case EQUAL -> all(length, pairs);
            case NOT_EQUAL -> Folding.fold(new Condition.Not(all(length, pairs)));
            case LESS, GREATER, LESS_OR_EQUAL, GREATER_OR_EQUAL -> ordered(length, operator, pairs);
            case CONCAT, ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO ->
                    throw new IllegalStateException(operator + " compares nothing");
        };
    }

    private static Scalar all(int length, Pairs pairs) {
        List<Scalar> terms = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            terms.add(pairs.compared(i, Operator.EQUAL));
        }
        return logical(true, terms);
    }

    private Scalar compared(Expression left, Expression right, Operator operator, int position) {
        return scalars.bind(new Expression.Binary(position, operator, left, right), Typing.BOOLEAN);
    }

    private static Scalar logical(boolean and, List<Scalar> terms) {
        return terms.size() == 1
                ? terms.getFirst()
                : new Condition.Logical(and, List.copyOf(terms));
    }

    /// `(a, b) < (c, d)` is `a < c OR (a = c AND b < d)`. A redundant `a <= c` comes first, since it can bound an
    /// index range.
    private static Scalar ordered(int length, Operator operator, Pairs pairs) {
        boolean less = operator == Operator.LESS || operator == Operator.LESS_OR_EQUAL;
        Operator strict = less ? Operator.LESS : Operator.GREATER;
        Operator wide = less ? Operator.LESS_OR_EQUAL : Operator.GREATER_OR_EQUAL;
        List<Scalar> choices = new ArrayList<>();
        for (int last = 0; last < length; last++) {
            List<Scalar> terms = new ArrayList<>();
            for (int i = 0; i < last; i++) {
                terms.add(pairs.compared(i, Operator.EQUAL));
            }
            Operator own = last == length - 1 ? operator : strict;
            terms.add(pairs.compared(last, own));
            choices.add(logical(true, terms));
        }
        if (choices.size() == 1) {
            return choices.getFirst();
        }
        Scalar bound = pairs.compared(0, wide);
        return new Condition.Logical(true, List.of(bound, logical(false, choices)));
    }

    /// Binds `(a, b) IN ((c, d), ...)`.
    Scalar in(Expression.In in) {
        int length = length(in.operand(), in.operand());
        List<Expression> operand = values(in.operand(), length);
        List<Scalar> choices = new ArrayList<>();
        for (Expression element : in.list()) {
            List<Expression> values = values(element, length);
            choices.add(
                    all(
                            length,
                            (i, operator) ->
                                    compared(
                                            operand.get(i),
                                            values.get(i),
                                            operator,
                                            in.position())));
        }
        Scalar any = logical(false, choices);
        return in.negated() ? new Condition.Not(any) : any;
    }

    /// Binds BETWEEN with a row as an operand.
    Scalar between(Expression.Between between) {
        Operator least = between.negated() ? Operator.LESS : Operator.GREATER_OR_EQUAL;
        Operator most = between.negated() ? Operator.GREATER : Operator.LESS_OR_EQUAL;
        int position = between.position();
        Expression operand = between.operand();
        return scalars.bind(
                new Expression.Logical(
                        position,
                        !between.negated(),
                        List.of(
                                new Expression.Binary(position, least, operand, between.low()),
                                new Expression.Binary(position, most, operand, between.high()))),
                Typing.BOOLEAN);
    }

    /// Binds `(a, b) IS [NOT] NULL`: whether all values are NULL, or none.
    Scalar isNull(RowValue row, boolean negated) {
        List<Scalar> terms = new ArrayList<>();
        for (Expression value : new WholeRows(scalars).expanded(row).values()) {
            terms.add(Folding.fold(new Condition.IsNull(scalars.bind(value), negated)));
        }
        return logical(true, terms);
    }

    /// Binds `(a, b) IS [NOT] DISTINCT FROM (c, d)`.
    Scalar distinct(Expression.IsDistinct test) {
        int length = length(test.left(), test.right());
        List<Expression> left = values(test.left(), length);
        List<Expression> right = values(test.right(), length);
        List<Scalar> terms = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            Expression same =
                    new Expression.IsDistinct(test.position(), left.get(i), right.get(i), true);
            terms.add(scalars.bind(same, Typing.BOOLEAN));
        }
        Scalar all = logical(true, terms);
        return test.negated() ? all : new Condition.Not(all);
    }
}
