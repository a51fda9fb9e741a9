package dev.oriel.sql.plan;

import dev.oriel.table.statistics.ColumnStatistics;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// The estimated selectivity for which a plan was chosen, if it depends on extracted literals. For literals with a
/// selectivity of another order of magnitude, the plan may be a bad one.
///
/// @param first the value, or the lower end of a range
/// @param second the upper end
/// @param share selectivity for the sample
/// @param rest of an open range: the selectivity of its other side
/// @param least selectivity below which all are alike
public record SelectivityGuard(
        Kind kind,
        ColumnStatistics known,
        Scalar first,
        Scalar second,
        double share,
        double rest,
        double least) {
    /// Factor by which a selectivity must differ to matter.
    private static final double APART = 10;

    /// Number of rows below which all row counts are alike.
    private static final double ROWS_LEAST = 100;

    /// Selectivity below which all are alike, if the table's row count is unknown.
    private static final double LEAST = 1e-4;

    public enum Kind {
        EQUAL,
        BELOW,
        BETWEEN
    }

    /// Records the planner's use of the distribution `column` for `first` and `second`, if one of them is an
    /// extracted literal.
    public static void note(Kind kind, Distribution column, Scalar first, Scalar second) {
        TakenLiteral literal = literal(first);
        literal = literal == null ? literal(second) : literal;
        ColumnStatistics known = column.known();
        if (literal != null && literal.shown() && known != null) {
            double least = column.tableRows() == 0 ? LEAST : ROWS_LEAST / column.tableRows();
            if (APART * least >= 1) {
                return; // whatever the selectivity is
            }
            SelectivityGuard asked = new SelectivityGuard(kind, known, first, second, 0, 0, least);
            double share = asked.share(null);
            literal.weigh(
                    new SelectivityGuard(
                            kind, known, first, second, share, asked.rest(share), least));
        }
    }

    private static @Nullable TakenLiteral literal(Scalar scalar) {
        return written(scalar) instanceof Scalar.ParameterRef ref ? ref.literal() : null;
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
        return literals != null && written(scalar) instanceof Scalar.ParameterRef ref
                ? ref.index()
                : 0;
    }

    /// `scalar`, or the local time of which it makes a moment: both are the same number, up to some hours.
    private static Scalar written(Scalar scalar) {
        return scalar instanceof Conversion conversion ? conversion.operand() : scalar;
    }

    private static Row row(Scalar scalar, @Nullable Row literals) {
        if (literals != null && written(scalar) instanceof Scalar.ParameterRef) {
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
