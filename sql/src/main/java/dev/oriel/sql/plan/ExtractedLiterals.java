package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.StatementShape;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The literals extracted from a statement while it is bound, so that statements share a plan. Each becomes a
/// parameter in addition to the user's parameters, with the literal's type in its context. Literals that
/// [LiteralPlaces] excludes, or that the binder reads itself, stay a part of the plan.
///
/// Belongs to the thread that compiles; immutable once the plan is kept.
public final class ExtractedLiterals {
    private final List<Token> tokens;
    private final Set<Expression.Literal> places;
    private final List<TakenLiteral> taken = new ArrayList<>();
    private final BitSet takenTokens = new BitSet();
    private final Set<SelectivityGuard> weights = new LinkedHashSet<>();
    private boolean compiling = true;
    private boolean needed;

    /// The literals of `statement`, which was parsed from `tokens`.
    public ExtractedLiterals(Statement statement, List<Token> tokens) {
        this.tokens = tokens;
        this.places = LiteralPlaces.of(statement);
    }

    /// The replacement of `literal`; `constant` itself if the literal is not extracted.
    ///
    /// @param expected type in the literal's context
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

    /// Index of its token; -1 if it has none.
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

    /// See [TakenLiteral#converted].
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

    /// Declares that the plan depends on the values of the literals in `scalar` beyond its estimates. Then the plan
    /// serves its statement alone.
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

    /// Whether other values of the literal may need another plan.
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

    /// Token indexes of the literals that were not extracted.
    public int[] left() {
        BitSet left = new BitSet();
        for (int i = 0; i < tokens.size(); i++) {
            left.set(i, StatementShape.isLiteral(tokens.get(i)) && !takenTokens.get(i));
        }
        return left.stream().toArray();
    }

    /// The values of the extracted literals in the statement of `now`; null if it needs a plan of its own.
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
            return null; // compiling the statement itself finds the error again, with its place
        }
        for (SelectivityGuard weight : weights) {
            if (!weight.isAlike(values)) {
                return null;
            }
        }
        return values;
    }
}
