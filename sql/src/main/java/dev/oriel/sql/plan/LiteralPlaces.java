package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.Type;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the literals of a statement that may be taken out of it: those by which nothing is decided
/// but which rows there are, and what is written into them. They are compared with something (also by
/// BETWEEN and IN, also in what is added or multiplied there), or stand in VALUES or SET.
///
/// All others stay a part of the plan: in a select list (names and types of columns), GROUP BY and
/// ORDER BY (positions, expressions that must be found again), LIMIT, patterns of LIKE (their prefix
/// bounds a key), arguments of functions, paths, casts to anything but a number, date or time.
final class LiteralPlaces {
    /// A longer list after IN is looked through for each row, which is quicker in constants.
    private static final int LIST_MAX = 16;

    private final Set<Expression.Literal> found =
            Collections.newSetFromMap(new IdentityHashMap<>());

    private LiteralPlaces() {}

    /// Those of `statement`, told apart by identity.
    static Set<Expression.Literal> of(Statement statement) {
        LiteralPlaces places = new LiteralPlaces();
        switch (statement) {
            case Statement.Query query -> places.query(query);
            case Statement.Insert insert -> places.insert(insert);
            case Statement.Update update -> {
                places.assigned(update.assignments());
                places.from(update.from());
                places.condition(update.where(), true);
            }
            case Statement.Delete delete -> {
                places.from(delete.using());
                places.condition(delete.where(), true);
            }
            case Statement.Merge merge -> {}
            case Statement.WithChange with -> {}
            case Statement.CopyFrom copy -> {}
            case Statement.CopyTo copy -> {}
            case Statement.Definition definition -> {}
            case Statement.Control control -> {}
            case Statement.Explain explain -> {}
        }
        return places.found;
    }

    private void insert(Statement.Insert insert) {
        switch (insert.source()) {
            case Statement.InsertSource.Rows rows ->
                    rows.rows().forEach(row -> row.expressions().forEach(this::value));
            case Statement.InsertSource.OfQuery of -> query(of.query());
            case Statement.InsertSource.Defaults defaults -> {}
        }
        Statement.OnConflict conflict = insert.onConflict();
        if (conflict != null) {
            assigned(conflict.assignments());
            condition(conflict.where(), true);
        }
    }

    private void assigned(@Nullable List<Statement.Assignment> assignments) {
        if (assignments != null) {
            assignments.forEach(assignment -> value(assignment.value()));
        }
    }

    /// What is written: a literal, or something computed of one.
    private void value(@Nullable Expression value) {
        if (value != null) {
            operand(value, true);
        }
    }

    private void query(Statement.Query query) {
        switch (query) {
            case Statement.Select select -> {
                from(select.from());
                condition(select.where(), true);
                // What is grouped by must be found again here, sums and all.
                condition(select.having(), false);
            }
            case Statement.SetOperation operation -> {
                query(operation.left());
                query(operation.right());
            }
            case Statement.With with -> {
                with.tables().forEach(table -> query(table.query()));
                query(with.query());
            }
            case Statement.Locking locking -> query(locking.query());
            case Statement.RowList rows -> {}
        }
    }

    private void from(Statement.@Nullable From from) {
        switch (from) {
            case null -> {}
            case Statement.From.Join join -> {
                from(join.left());
                from(join.right());
                condition(join.on(), true);
            }
            case Statement.From.Derived derived -> query(derived.query());
            case Statement.From.Named named -> {}
            case Statement.From.Computed computed -> {}
            case Statement.From.Function function -> {}
        }
    }

    /// @param sums whether also what is computed may be looked into
    private void condition(@Nullable Expression condition, boolean sums) {
        switch (condition) {
            case Expression.Logical logical ->
                    logical.terms().forEach(term -> condition(term, sums));
            case Expression.Not not -> condition(not.operand(), sums);
            case Expression.Binary binary when binary.operator().isComparison() ->
                    both(binary.left(), binary.right(), sums);
            case Expression.IsDistinct test -> both(test.left(), test.right(), sums);
            case Expression.Between between when !isLiteral(between.operand()) -> {
                operand(between.operand(), sums);
                operand(between.low(), sums);
                operand(between.high(), sums);
            }
            case Expression.In in when in.list().size() <= LIST_MAX && !isLiteral(in.operand()) -> {
                operand(in.operand(), sums);
                in.list().forEach(value -> operand(value, sums));
            }
            case Expression.Exists exists -> query(exists.query());
            case Expression.InQuery in -> query(in.query());
            case null, default -> {} // what is not known to be safe stays
        }
    }

    /// Two operands of which one may be a literal; of two, the whole is a constant.
    private void both(Expression left, Expression right, boolean sums) {
        if (!isLiteral(left) || !isLiteral(right)) {
            operand(left, sums);
            operand(right, sums);
        }
    }

    private void operand(Expression operand, boolean sums) {
        Expression.Literal literal = literal(operand);
        if (literal != null) {
            found.add(literal);
        } else if (operand instanceof Expression.Binary sum
                && sums
                && isSum(sum.operator())
                && !isText(sum.left())
                && !isText(sum.right())) {
            both(sum.left(), sum.right(), true);
        } else if (operand instanceof Expression.Subquery subquery) {
            query(subquery.query());
        }
    }

    private static boolean isSum(Operator operator) {
        return switch (operator) {
            case ADD, SUBTRACT, MULTIPLY -> true;
            case EQUAL,
                    NOT_EQUAL,
                    LESS,
                    LESS_OR_EQUAL,
                    GREATER,
                    GREATER_OR_EQUAL,
                    CONCAT,
                    DIVIDE,
                    MODULO ->
                    false;
        };
    }

    /// Beside a sign a string is whatever the other side makes of it.
    private static boolean isText(Expression expression) {
        Expression.Literal literal = literal(expression);
        return literal != null && !literal.kind().isNumber();
    }

    private static boolean isLiteral(Expression expression) {
        return literal(expression) != null;
    }

    /// The literal that `expression` is, or that it makes a number, date or time of; null where it is neither.
    private static Expression.@Nullable Literal literal(Expression expression) {
        return switch (expression) {
            case Expression.Literal literal ->
                    switch (literal.kind()) {
                        case INTEGER, DECIMAL, DOUBLE, STRING, BYTES -> literal;
                        case BOOLEAN, NULL -> null;
                    };
            case Expression.Cast cast
                    when isSimple(cast.type())
                            && cast.operand() instanceof Expression.Literal literal ->
                    literal(literal);
            default -> null;
        };
    }

    private static boolean isSimple(Type type) {
        return Typing.isNumber(type)
                || type.name() == Type.Name.TIME
                || Typing.family(type) == Typing.Family.DATE;
    }
}
