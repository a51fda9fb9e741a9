package dev.oriel.sql.plan;

import dev.oriel.table.ColumnStatistics;
import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import org.jspecify.annotations.Nullable;

/// Which share of a column's rows a plan was chosen for, where that hangs on literals that were taken
/// out of the statement. For others whose share is of another order, the plan may be a bad one.
///
/// @param first the value, or the lower end of a range
/// @param second the upper end
/// @param share of the rows, for the sample
/// @param rest of an open range: the share on its other side
/// @param least shares below it are alike
public record SelectivityGuard(
        Kind kind,
        ColumnStatistics known,
        Scalar first,
        Scalar second,
        double share,
        double rest,
        double least) {
    /// A share that is so many times as large, or as small, is another matter.
    private static final double APART = 10;

    /// Whether it is one row or so many does not matter.
    private static final double ROWS_LEAST = 100;

    /// Where it is not known how many rows the table has, smaller shares are alike.
    private static final double LEAST = 1e-4;

    public enum Kind {
        EQUAL,
        BELOW,
        BETWEEN
    }

    /// The planner asks `column` about `first` and `second`; which is remembered where one of them was
    /// taken out.
    public static void note(Kind kind, Distribution column, Scalar first, Scalar second) {
        TakenLiteral literal = literal(first);
        literal = literal == null ? literal(second) : literal;
        ColumnStatistics known = column.known();
        if (literal != null && literal.shown() && known != null) {
            double least = column.tableRows() == 0 ? LEAST : ROWS_LEAST / column.tableRows();
            if (APART * least >= 1) {
                return; // whatever the share is
            }
            SelectivityGuard asked = new SelectivityGuard(kind, known, first, second, 0, 0, least);
            double share = asked.share(null);
            literal.weigh(
                    new SelectivityGuard(
                            kind, known, first, second, share, asked.rest(share), least));
        }
    }

    private static @Nullable TakenLiteral literal(Scalar scalar) {
        return scalar instanceof Scalar.ParameterRef ref ? ref.literal() : null;
    }

    /// Whether the plan is as good for `literals` as it was for the sample.
    boolean isAlike(Row literals) {
        double now = share(literals);
        return areAlike(share, now) && areAlike(rest, rest(now));
    }

    private boolean areAlike(double a, double b) {
        return Math.max(a, b) <= APART * Math.max(least, Math.min(a, b));
    }

    private double rest(double now) {
        return kind == Kind.BELOW ? Math.max(0, 1 - known.nulls() - now) : 0;
    }

    /// @param literals null for the sample
    private double share(@Nullable Row literals) {
        Row low = row(first, literals);
        return switch (kind) {
            case EQUAL -> known.equal(low, at(first, literals));
            case BELOW -> known.below(low, at(first, literals));
            case BETWEEN -> {
                Row high = row(second, literals);
                double below = known.below(low, at(first, literals));
                yield Math.max(0, known.below(high, at(second, literals)) - below);
            }
        };
    }

    private static int at(Scalar scalar, @Nullable Row literals) {
        return literals != null && scalar instanceof Scalar.ParameterRef ref ? ref.index() : 0;
    }

    private static Row row(Scalar scalar, @Nullable Row literals) {
        if (literals != null && scalar instanceof Scalar.ParameterRef) {
            return literals;
        }
        Scalar.Constant constant = Scalar.foreseen(scalar);
        if (constant == null) {
            throw new IllegalStateException("nothing is known of what was weighed");
        }
        Tuple value = new Tuple(1);
        constant.store(value, 0, Frame.alone(value));
        return value;
    }
}
