package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.table.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A literal that was taken out of its statement, so that the plan serves every statement that differs
/// from it there: as it is written, or converted to the type that its place asks for. Immutable.
final class TakenLiteral {
    private final ExtractedLiterals all;
    private final int index;
    private final Scalar.Constant sample;
    private final @Nullable Written written;

    /// Makes it of another one; null where it is taken as it is written.
    private final @Nullable Conversion conversion;

    /// Where it stands among the tokens.
    ///
    /// @param negative whether a sign before it belongs to it
    /// @param expected the type that its place asks for
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

    /// Its value in the statement that the plan was made of, by which the planner estimates.
    Scalar.Constant sample() {
        return sample;
    }

    /// Whether the plan is written with that value: while it is compared with the one for that
    /// statement alone.
    boolean shown() {
        return all.shown();
    }

    @Nullable Written written() {
        return written;
    }

    Scalar.ParameterRef reference() {
        return new Scalar.ParameterRef(index, sample.type(), this);
    }

    /// What `wanted`, a conversion of this one, is: computed once a statement, as that of a constant. An
    /// error is left for the run, which may never get there.
    Scalar converted(Conversion wanted) {
        return all.converted(wanted, sample);
    }

    /// The planner would do something else for some values.
    void need() {
        all.need();
    }

    /// The planner has looked at what it stands for.
    void weigh(SelectivityGuard weight) {
        all.weigh(weight);
    }

    /// Its value in the statement of `tokens`; null where that needs a plan of its own.
    ///
    /// @param found the values of those before it
    Scalar.@Nullable Constant value(
            SqlText source, List<Token> tokens, Scalar.@Nullable Constant[] found) {
        Scalar value;
        if (written != null) {
            Token token = tokens.get(written.token());
            String text = written.negative() ? "-" + token.text() : token.text();
            value =
                    Folding.constant(
                            new Expression.Literal(token.position(), written.kind(), text),
                            written.expected(),
                            source);
        } else {
            value = Folding.evaluated(converting(found));
        }
        return value instanceof Scalar.Constant constant
                        && !constant.isNull()
                        && constant.type().equals(sample.type())
                ? constant
                : null;
    }

    /// The conversion, of the value that its operand has now.
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
