package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A literal extracted from its statement: the plan serves every statement with another literal in its place. It has
/// the literal's own type or the type of its context. Immutable.
final class TakenLiteral {
    private final ExtractedLiterals all;
    private final int index;
    private final Scalar.Constant sample;
    private final @Nullable Written written;

    /// Conversion of another extracted literal; null for a literal as it is written.
    private final @Nullable Conversion conversion;

    /// The literal's token.
    ///
    /// @param negative whether a sign before it belongs to it
    /// @param expected type in the literal's context
    record Written(int token, Expression.Literal.Kind kind, boolean negative, Type expected) {}

    TakenLiteral(ExtractedLiterals all, int index, Scalar.Constant sample, Written written) {
        this.all = all;
        this.index = index;
        this.sample = sample;
        this.written = written;
        this.conversion = null;
    }

    TakenLiteral(ExtractedLiterals all, int index, Scalar.Constant sample, Conversion conversion) {
        this.all = all;
        this.index = index;
        this.sample = sample;
        this.written = null;
        this.conversion = conversion;
    }

    /// Value in the statement from which the plan was made; the planner's estimates use it.
    Scalar.Constant sample() {
        return sample;
    }

    /// Whether the plan is printed with that value: true while it is compared with the plan for that statement alone.
    boolean shown() {
        return all.shown();
    }

    @Nullable Written written() {
        return written;
    }

    Scalar.ParameterRef reference() {
        return new Scalar.ParameterRef(index, sample.type(), this);
    }

    /// The result of `wanted`, a conversion of this literal: computed once a statement, like the conversion of a
    /// constant. An error is left for the run, which may never evaluate it.
    Scalar converted(Conversion wanted) {
        return all.converted(wanted, sample);
    }

    /// Declares that the plan depends on the literal's value.
    void need() {
        all.need();
    }

    /// Records a selectivity that the planner has estimated with it.
    void weigh(SelectivityGuard weight) {
        all.weigh(weight);
    }

    /// The literal's value in the statement of `tokens`; null if that statement needs another plan.
    ///
    /// @param found the values of the literals before it
    Scalar.@Nullable Constant value(
            SqlText source, List<Token> tokens, Scalar.@Nullable Constant[] found) {
        Scalar value;
        if (written != null) {
            Token token = tokens.get(written.token());
            String text = written.negative() ? "-" + token.text() : token.text();
            Expression.Literal literal =
                    new Expression.Literal(token.position(), written.kind(), text);
            value = Folding.constant(literal, written.expected(), source);
            if (Folding.isLocal(literal, written.expected())) {
                value = Folding.local(value);
            }
        } else {
            value = Folding.evaluated(converting(found));
        }
        return value instanceof Scalar.Constant constant
                        && !constant.isNull()
                        && constant.type().equals(sample.type())
                ? constant
                : null;
    }

    /// The conversion, with the current value of its operand.
    private Conversion converting(Scalar.@Nullable Constant[] found) {
        Scalar.Constant operand =
                conversion != null && conversion.operand() instanceof Scalar.ParameterRef ref
                        ? found[ref.index()]
                        : null;
        if (conversion == null || operand == null) {
            throw new IllegalStateException("a literal that is made of nothing");
        }
        return new Conversion(
                operand, conversion.type(), conversion.explicit(), conversion.place());
    }
}
