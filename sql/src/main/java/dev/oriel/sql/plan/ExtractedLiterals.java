package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.StatementShape;
import dev.oriel.sql.text.Token;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The literals that are taken out of a statement while it is bound. Each becomes a parameter that a
/// run is given beside those of the user, with the type that the literal has in its place. What
/// [LiteralPlaces] leaves where it is, and what the binder reads for itself, stays a part of the plan.
///
/// Belongs to the thread that compiles; does not change any more once the plan is kept.
public final class ExtractedLiterals {
    private final List<Token> tokens;
    private final Set<Expression.Literal> places;
    private final List<TakenLiteral> taken = new ArrayList<>();
    private final BitSet takenTokens = new BitSet();
    private final Set<SelectivityGuard> weights = new LinkedHashSet<>();
    private boolean compiling = true;
    private boolean needed;

    /// Of `statement`, which was read from `tokens`.
    public ExtractedLiterals(Statement statement, List<Token> tokens) {
        this.tokens = tokens;
        this.places = LiteralPlaces.of(statement);
    }

    /// What stands for `literal`: `constant` itself where it stays.
    ///
    /// @param expected the type that its place asks for
    public Scalar take(Expression.Literal literal, Type expected, Scalar constant) {
        if (!places.contains(literal)
                || !(constant instanceof Scalar.Constant sample)
                || sample.isNull()) {
            return constant;
        }
        boolean negative = literal.text().startsWith("-") && literal.kind().isNumber();
        int token = token(literal, negative);
        if (token < 0) {
            return constant;
        }
        takenTokens.set(token);
        TakenLiteral.Written written =
                new TakenLiteral.Written(token, literal.kind(), negative, expected);
        return added(new TakenLiteral(this, taken.size(), sample, written));
    }

    /// The index of its token; -1 where it was not read from one.
    private int token(Expression.Literal literal, boolean negative) {
        int low = 0;
        int high = tokens.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (tokens.get(middle).position() < literal.position()) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (negative) { // the sign, and perhaps parentheses
            while (low < tokens.size() && tokens.get(low).kind() == Token.Kind.SYMBOL) {
                low++;
            }
        }
        String text = negative ? literal.text().substring(1) : literal.text();
        boolean same =
                low < tokens.size()
                        && StatementShape.isLiteral(tokens.get(low))
                        && tokens.get(low).text().equals(text);
        return same ? low : -1;
    }

    private Scalar added(TakenLiteral literal) {
        taken.add(literal);
        return literal.reference();
    }

    /// [TakenLiteral#converted].
    Scalar converted(Conversion wanted, Scalar.Constant sample) {
        if (!compiling) {
            return wanted;
        }
        Scalar value;
        try {
            value =
                    Folding.evaluated(
                            new Conversion(
                                    sample, wanted.type(), wanted.explicit(), wanted.place()));
        } catch (SqlException atRunTime) {
            return wanted;
        }
        return value instanceof Scalar.Constant constant && !constant.isNull()
                ? added(new TakenLiteral(this, taken.size(), constant, wanted))
                : wanted;
    }

    /// Says that what is made of `scalar` hangs on the values of the literals in it, which an estimate
    /// does not tell: then the plan is for its statement alone.
    public static void need(Scalar scalar) {
        if (scalar instanceof Scalar.ParameterRef ref && ref.literal() != null) {
            ref.literal().need();
        }
        Scalar.operands(scalar).forEach(ExtractedLiterals::need);
    }

    public void need() {
        if (compiling) {
            needed = true;
        }
    }

    /// Whether the plan would be another one for some values.
    public boolean isNeeded() {
        return needed;
    }

    void weigh(SelectivityGuard weight) {
        if (compiling) {
            weights.add(weight);
        }
    }

    boolean shown() {
        return compiling;
    }

    /// Ends the compilation: from now on nothing changes.
    public void kept() {
        compiling = false;
    }

    public boolean isEmpty() {
        return taken.isEmpty();
    }

    /// The literals among the tokens that were left where they are.
    public int[] left() {
        BitSet left = new BitSet();
        for (int i = 0; i < tokens.size(); i++) {
            left.set(i, StatementShape.isLiteral(tokens.get(i)) && !takenTokens.get(i));
        }
        return left.stream().toArray();
    }

    /// The values of those taken out in the statement of `now`; null where it needs a plan of its own.
    public @Nullable Tuple values(SqlText source, List<Token> now) {
        Tuple values = new Tuple(taken.size());
        Scalar.@Nullable Constant[] found = new Scalar.@Nullable Constant[taken.size()];
        Frame frame = Frame.alone(values);
        try {
            for (int i = 0; i < found.length; i++) {
                Scalar.Constant value = taken.get(i).value(source, now, found);
                if (value == null) {
                    return null;
                }
                found[i] = value;
                value.store(values, i, frame);
            }
        } catch (SqlException wrong) {
            return null; // compiling the statement itself finds it again, at its place
        }
        for (SelectivityGuard weight : weights) {
            if (!weight.isAlike(values)) {
                return null;
            }
        }
        return values;
    }
}
