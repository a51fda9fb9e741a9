package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Integers;
import dev.oriel.sql.value.Temporals;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Constant folding at binding time.
public final class Folding {
    /// Execution for constants, which read neither rows nor parameters nor the time.
    static final Execution NO_EXECUTION = new Execution(InstantSource.system(), new Tuple(0));

    private Folding() {}

    /// A constant, if `scalar` is one. Errors are left for the run, which may never evaluate it.
    public static Scalar fold(Scalar scalar) {
        if (readsZone(scalar)) {
            return scalar;
        }
        if (scalar instanceof Conversion conversion
                && conversion.operand() instanceof Scalar.ParameterRef ref
                && ref.literal() != null) {
            return ref.literal().converted(conversion);
        }
        boolean constant =
                switch (scalar) {
                    case Arithmetic.OfLongs a -> constant(a.left(), a.right());
                    case Arithmetic.OfDoubles a -> constant(a.left(), a.right());
                    case Arithmetic.OfDecimals a -> constant(a.left(), a.right());
                    case Arithmetic.Negated a -> constant(a.operand());
                    case Condition.Comparison c -> constant(c.left(), c.right());
                    case Condition.Between c -> constant(c.operand(), c.low(), c.high());
                    case Condition.Same c -> constant(c.left(), c.right());
                    case Condition.Not c -> constant(c.operand());
                    case Condition.IsNull c -> constant(c.operand());
                    case Condition.IsTruth c -> constant(c.operand());
                    case Condition.Logical c -> constant(c.terms().toArray(Scalar[]::new));
                    case Condition.In c ->
                            constant(c.operand()) && constant(c.list().toArray(Scalar[]::new));
                    case Condition.Like c ->
                            constant(c.operand(), c.pattern())
                                    && (c.escape() == null || constant(c.escape()));
                    case Conversion c -> constant(c.operand());
                    case Conditional c -> false;
                    case FunctionCall c -> false;
                    case Concatenation c -> false;
                    case OperatorChain c -> false;
                    case OperatorChain.Prior c -> false;
                    case Scalar.Constant c -> false;
                    case Scalar.ColumnRef c -> false;
                    case Scalar.ParameterRef c -> false;
                    case Scalar.Now c -> false;
                    case Scalar.Argument c -> false;
                    case Subquery c -> false;
                };
        if (!constant) {
            return scalar;
        }
        try {
            return evaluated(scalar);
        } catch (SqlException atRunTime) {
            return scalar;
        }
    }

    /// A constant, if all of `parts` are.
    public static Scalar foldAll(Scalar scalar, List<Scalar> parts) {
        if (readsZone(scalar) || !constant(parts.toArray(Scalar[]::new))) {
            return scalar;
        }
        try {
            return evaluated(scalar);
        } catch (SqlException atRunTime) {
            return scalar;
        }
    }

    /// Whether `scalar` depends on the time zone of the session, besides its operands.
    public static boolean readsZone(Scalar scalar) {
        if (scalar instanceof Conversion conversion) {
            return conversion.readsZone();
        }
        return scalar instanceof FunctionCall call && readsZone(call);
    }

    /// Whether `scalar` or a part of it depends on the time zone of the session.
    public static boolean dependsOnZone(Scalar scalar) {
        return readsZone(scalar)
                || Scalar.operands(scalar).stream().anyMatch(Folding::dependsOnZone);
    }

    private static boolean readsZone(FunctionCall call) {
        if (call.type().name() == Type.Name.TIMESTAMP_TZ) {
            // Functions that compute in local time; others return a given moment.
            return switch (call.function()) {
                case INTERVAL_ARITHMETIC, DATEADD, ADD_MONTHS -> true;
                case DATE_TRUNC, TO_TIMESTAMP -> call.arguments().size() == 2;
                case PARSEDATETIME -> call.arguments().size() < 4;
                case MOVED -> call.arguments().size() > 3;
                default -> false;
            };
        }
        if (call.function() == Function.JSON_POPULATE_RECORD) {
            return Conversion.isMoment(call.type());
        }
        boolean writes =
                call.type().name() == Type.Name.JSON
                        || call.function() == Function.ARRAY_TO_STRING
                        || call.function() == Function.TO_CHAR
                        || (call.function() == Function.FORMATDATETIME
                                && call.arguments().size() < 4);
        return writes
                && call.arguments().stream().anyMatch(part -> Conversion.isMoment(part.type()));
    }

    private static boolean constant(Scalar... operands) {
        for (Scalar operand : operands) {
            if (!(operand instanceof Scalar.Constant)) {
                return false;
            }
        }
        return true;
    }

    /// The constant value of `scalar`.
    ///
    /// @throws SqlException if it has no value
    public static Scalar evaluated(Scalar scalar) {
        Tuple value = new Tuple(1);
        // A frame of its own: binding may run in many threads.
        Frame frame = new Frame(NO_EXECUTION, value);
        if (!scalar.store(value, 0, frame)) {
            return Scalar.Constant.ofNull(scalar.type());
        }
        return switch (scalar.type().shape()) {
            case LONG -> Scalar.Constant.of(scalar.type(), value.longAt(0));
            case DOUBLE -> Scalar.Constant.of(scalar.type(), value.doubleAt(0));
            case DECIMAL -> Scalar.Constant.of(scalar.type(), notNull(value.decimalAt(0)));
            case TEXT, FOLDED -> Scalar.Constant.of(scalar.type(), notNull(value.textAt(0)));
            case BYTES -> Scalar.Constant.of(scalar.type(), notNull(value.bytesAt(0)));
        };
    }

    private static Object notNull(@Nullable Object value) {
        if (value == null) {
            throw new IllegalStateException("NULL where a value was stored");
        }
        return value;
    }

    /// The value of `literal` in a context of type `expected`.
    public static Scalar constant(Expression.Literal literal, Type expected, SqlText source) {
        Place place = source.at(literal.position());
        return switch (literal.kind()) {
            case INTEGER -> integer(literal.text());
            case DECIMAL -> Scalar.Constant.of(Typing.DECIMAL, new BigDecimal(literal.text()));
            case DOUBLE -> {
                double value = Double.parseDouble(literal.text());
                if (Double.isInfinite(value)) {
                    throw Integers.outOfRange(Typing.DOUBLE, place);
                }
                yield Scalar.Constant.of(Typing.DOUBLE, value);
            }
            case BOOLEAN -> Scalar.Constant.of(literal.text().equalsIgnoreCase("TRUE"));
            case BYTES -> Scalar.Constant.of(Typing.BYTES, HexFormat.of().parseHex(literal.text()));
            case NULL -> Scalar.Constant.ofNull(expected);
            case STRING -> {
                Scalar text = Scalar.Constant.of(Typing.TEXT, literal.text());
                yield Typing.isText(expected)
                        ? text
                        : evaluated(new Conversion(text, expected, false, place));
            }
        };
    }

    /// Whether `literal`, of type `expected`, is a moment that names no zone.
    public static boolean isLocal(Expression.Literal literal, Type expected) {
        return isMoment(literal, expected) && !Temporals.namesZone(literal.text());
    }

    /// Whether `literal`, of type `expected`, is the text of a moment.
    public static boolean isMoment(Expression.Literal literal, Type expected) {
        return expected.name() == Type.Name.TIMESTAMP_TZ
                && literal.kind() == Expression.Literal.Kind.STRING;
    }

    /// Whether `literal`, of type `expected`, is the text of an array or a composite value with moments.
    public static boolean holdsMoments(Expression.Literal literal, Type expected) {
        return expected.name() != Type.Name.TIMESTAMP_TZ
                && literal.kind() == Expression.Literal.Kind.STRING
                && Conversion.isMoment(expected);
    }

    /// The local time of the constant `moment` in UTC: the value of a literal that names no zone.
    public static Scalar local(Scalar moment) {
        return moment instanceof Scalar.Constant constant && !constant.isNull()
                ? Scalar.Constant.of(
                        Type.temporal(Type.Name.TIMESTAMP, constant.type().secondDigits()),
                        constant.primitive())
                : moment;
    }

    /// The narrowest of INTEGER, BIGINT and DECIMAL that holds it.
    private static Scalar integer(String digits) {
        try {
            long exact = Long.parseLong(digits);
            return Scalar.Constant.of(exact == (int) exact ? Typing.INTEGER : Typing.BIGINT, exact);
        } catch (NumberFormatException tooLong) {
            return Scalar.Constant.of(Typing.DECIMAL, new BigDecimal(digits));
        }
    }
}
