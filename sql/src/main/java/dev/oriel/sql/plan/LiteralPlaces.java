package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the literals that may be extracted from a statement: literals that only affect the selected rows and the
/// written values. They are compared with an expression (also by BETWEEN and IN, also within sums and products
/// there), or stand in the VALUES of an INSERT, or in SET.
///
/// All others stay a part of the plan: in a select list (names and types of columns), in GROUP BY and ORDER BY
/// (positions, expressions that must be found again). So do LIMIT, LIKE patterns (their prefix bounds a key),
/// function arguments, paths and casts to anything but a number, date or time.
final class LiteralPlaces {
    /// Maximum length of an IN list that is extracted: a longer list is searched faster as constants.
    private static final int LIST_MAX = 16;

    private final Set<Expression.Literal> found =
            Collections.newSetFromMap(new IdentityHashMap<>());

    private LiteralPlaces() {}

    /// The literals of `statement`, distinguished by identity.
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
            case Statement.Block block -> {}
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

    /// A value to be written: a literal, or an expression of one.
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
                // Grouping expressions must be found again here, sums included.
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
            case Statement.ChangedRows changed -> {}
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

    /// @param sums whether to look into sums and products
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
            case null, default -> {} // unknown expressions are not safe to change
        }
    }

    /// Two operands of which one may be a literal; two literals make a constant.
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

    /// The type of a string in a sum depends on the other operand.
    private static boolean isText(Expression expression) {
        Expression.Literal literal = literal(expression);
        return literal != null && !literal.kind().isNumber();
    }

    private static boolean isLiteral(Expression expression) {
        return literal(expression) != null;
    }

    /// The literal of `expression`, plain or in a cast to a number, date or time; null if there is none.
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
