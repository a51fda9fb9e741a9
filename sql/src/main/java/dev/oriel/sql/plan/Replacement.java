package dev.oriel.sql.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Rebuilds expressions with other expressions substituted for their columns.
public final class Replacement {
    private final UnaryOperator<Scalar> leaf;

    /// Replacement of a node and all below it; null for a node that is rebuilt.
    private final Function<Scalar, @Nullable Scalar> instead;

    private Replacement(UnaryOperator<Scalar> leaf, Function<Scalar, @Nullable Scalar> instead) {
        this.leaf = leaf;
        this.instead = instead;
    }

    /// `scalar` with each node replaced by the result of `instead`, or rebuilt if that is null.
    public static Scalar ofNodes(Scalar scalar, Function<Scalar, @Nullable Scalar> instead) {
        return new Replacement(UnaryOperator.identity(), instead).replaced(scalar);
    }

    /// `scalar` with each column reference replaced by the result of `column`.
    public static Scalar of(Scalar scalar, UnaryOperator<Scalar> column) {
        return new Replacement(column, node -> null).replaced(scalar);
    }

    /// `scalars` with each column reference replaced by the result of `column`.
    public static List<Scalar> of(List<Scalar> scalars, UnaryOperator<Scalar> column) {
        return new Replacement(column, node -> null).all(scalars);
    }

    private List<Scalar> all(List<Scalar> scalars) {
        List<Scalar> replaced = new ArrayList<>(scalars.size());
        for (Scalar scalar : scalars) {
            replaced.add(replaced(scalar));
        }
        return List.copyOf(replaced);
    }

    private @Nullable Scalar perhaps(@Nullable Scalar scalar) {
        return scalar == null ? null : replaced(scalar);
    }

    private Scalar replaced(Scalar scalar) {
        Scalar other = instead.apply(scalar);
        return other == null ? rebuilt(scalar) : other;
    }

    private Scalar rebuilt(Scalar scalar) {
        return switch (scalar) {
            case Scalar.ColumnRef column -> leaf.apply(column);
            case Scalar.Constant same -> same;
            case Scalar.ParameterRef same -> same;
            case Scalar.Argument same -> same;
            case Scalar.Now same -> same;
            case OperatorChain.Prior same -> same;
            case OperatorChain chain -> new OperatorChain(all(chain.links()));
            case Arithmetic.OfLongs a ->
                    new Arithmetic.OfLongs(
                            a.operator(),
                            replaced(a.left()),
                            replaced(a.right()),
                            a.type(),
                            a.place());
            case Arithmetic.OfDoubles a ->
                    new Arithmetic.OfDoubles(
                            a.operator(),
                            replaced(a.left()),
                            replaced(a.right()),
                            a.type(),
                            a.place());
            case Arithmetic.OfDecimals a ->
                    new Arithmetic.OfDecimals(
                            a.operator(),
                            replaced(a.left()),
                            replaced(a.right()),
                            a.type(),
                            a.place());
            case Arithmetic.Negated a ->
                    new Arithmetic.Negated(replaced(a.operand()), a.type(), a.place());
            case Condition condition -> condition(condition);
            case Conditional.Case c ->
                    new Conditional.Case(
                            all(c.conditions()),
                            all(c.results()),
                            perhaps(c.otherwise()),
                            c.type());
            case Conditional.Switch c ->
                    new Conditional.Switch(
                            replaced(c.operand()),
                            all(c.values()),
                            all(c.results()),
                            perhaps(c.otherwise()),
                            c.type());
            case Conditional.Coalesce c -> new Conditional.Coalesce(all(c.arguments()), c.type());
            case Conditional.Extreme c ->
                    new Conditional.Extreme(all(c.arguments()), c.greatest(), c.type());
            case Conditional.NullIf c ->
                    new Conditional.NullIf(replaced(c.left()), replaced(c.right()));
            case Conversion c ->
                    new Conversion(replaced(c.operand()), c.type(), c.explicit(), c.place());
            case Concatenation c -> new Concatenation(all(c.parts()), c.type());
            case FunctionCall.OfLong c ->
                    new FunctionCall.OfLong(c.function(), all(c.arguments()), c.type(), c.body());
            case FunctionCall.OfDouble c ->
                    new FunctionCall.OfDouble(c.function(), all(c.arguments()), c.type(), c.body());
            case FunctionCall.OfDecimal c ->
                    new FunctionCall.OfDecimal(
                            c.function(), all(c.arguments()), c.type(), c.body());
            case FunctionCall.OfBytes c ->
                    new FunctionCall.OfBytes(c.function(), all(c.arguments()), c.type(), c.body());
            case FunctionCall.OfText c ->
                    new FunctionCall.OfText(c.function(), all(c.arguments()), c.type(), c.body());
            case Subquery subquery -> subquery(subquery);
        };
    }

    private Scalar condition(Condition condition) {
        return switch (condition) {
            case Condition.Comparison c ->
                    new Condition.Comparison(c.operator(), replaced(c.left()), replaced(c.right()));
            case Condition.Between c ->
                    new Condition.Between(
                            replaced(c.operand()), replaced(c.low()), replaced(c.high()));
            case Condition.Same c -> new Condition.Same(replaced(c.left()), replaced(c.right()));
            case Condition.Logical c -> new Condition.Logical(c.and(), all(c.terms()));
            case Condition.Not c -> new Condition.Not(replaced(c.operand()));
            case Condition.IsNull c -> new Condition.IsNull(replaced(c.operand()), c.negated());
            case Condition.IsTruth c ->
                    new Condition.IsTruth(replaced(c.operand()), c.truth(), c.negated());
            case Condition.In c -> new Condition.In(replaced(c.operand()), all(c.list()));
            case Condition.Like c ->
                    new Condition.Like(
                            replaced(c.operand()),
                            replaced(c.pattern()),
                            perhaps(c.escape()),
                            c.ignoreCase(),
                            c.place());
        };
    }

    private Scalar subquery(Subquery subquery) {
        return switch (subquery) {
            case Subquery.OfValue s ->
                    new Subquery.OfValue(nested(s.query()), s.column(), s.type(), s.place());
            case Subquery.Exists s -> new Subquery.Exists(nested(s.query()));
            case Subquery.Any s ->
                    new Subquery.Any(nested(s.query()), s.operator(), replaced(s.operand()));
            case Subquery.RowAny s -> new Subquery.RowAny(nested(s.query()), all(s.operands()));
            case Subquery.Member s -> new Subquery.Member(s.query(), all(s.operands()));
        };
    }

    private Subquery.Nested nested(Subquery.Nested query) {
        return new Subquery.Nested(
                query.number(), query.position(), query.plan(), all(query.arguments()));
    }
}
