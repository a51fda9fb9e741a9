package dev.oriel.sql.plan;

import dev.oriel.sql.rows.RowKey;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.DecimalDigits;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A resolved and typed expression. Immutable: plans are shared by sessions, so all mutable state is in the
/// [Frame].
///
/// Only the `eval` method of the type's shape may be called. `evalLong` and `evalDouble` report NULL by
/// [Frame#isNull], which they always set; the others return null. BOOLEAN has the LONG shape and `evalTruth`
/// beside it: 1, 0, or [#UNKNOWN]. No evaluation allocates anything but the decimals, strings and arrays it
/// returns.
public sealed interface Scalar
        permits Scalar.Constant,
                Scalar.ColumnRef,
                Scalar.ParameterRef,
                Scalar.Now,
                Arithmetic,
                Condition,
                Conditional,
                Conversion,
                Concatenation,
                FunctionCall,
                Subquery,
                OperatorChain,
                OperatorChain.Prior,
                Scalar.Argument {
    /// NULL as a truth value.
    int UNKNOWN = -1;

    /// Scale of values without a common one.
    int NO_SCALE = -1;

    /// The types of `scalars`.
    static List<Type> types(List<Scalar> scalars) {
        List<Type> types = new ArrayList<>(scalars.size());
        for (Scalar scalar : scalars) {
            types.add(scalar.type());
        }
        return types;
    }

    Type type();

    /// Whether it can be NULL.
    boolean nullable();

    default long evalLong(Frame frame) {
        int truth = evalTruth(frame);
        frame.isNull = truth == UNKNOWN;
        return truth == UNKNOWN ? 0 : truth;
    }

    default int evalTruth(Frame frame) {
        long value = evalLong(frame);
        return frame.isNull ? UNKNOWN : (int) value;
    }

    default double evalDouble(Frame frame) {
        throw wrongShape();
    }

    default @Nullable BigDecimal evalDecimal(Frame frame) {
        throw wrongShape();
    }

    default @Nullable String evalText(Frame frame) {
        throw wrongShape();
    }

    default byte @Nullable [] evalBytes(Frame frame) {
        throw wrongShape();
    }

    /// The text of [#evalText] as a symbol for comparisons: see [Row#symbolAt].
    default @Nullable String evalSymbol(Frame frame) {
        return evalText(frame);
    }

    /// The common scale of all values of a DECIMAL whose digits mostly fit a long; [#NO_SCALE] if there is none,
    /// or it is not known in advance.
    default int digitsScale() {
        return NO_SCALE;
    }

    /// The digits of a DECIMAL of that scale, with NULL by [Frame#isNull]. [Row#NO_DIGITS] means that a long does
    /// not hold them, and [#evalDecimal] is to be called. An expression with a scale is deterministic for a row.
    default long evalDigits(Frame frame) {
        throw wrongShape();
    }

    private IllegalStateException wrongShape() {
        return new IllegalStateException("evaluated as another type than " + type());
    }

    /// Sets value `i` of `key`, a text as a symbol; false if it is NULL.
    default boolean fill(RowKey key, int i, Frame frame) {
        if (type().shape().isText()) {
            String text = evalSymbol(frame);
            key.values().setText(i, text);
            return text != null;
        }
        return store(key.values(), i, frame);
    }

    /// Evaluates into `column` of `out`; false if the value is NULL.
    default boolean store(Tuple out, int column, Frame frame) {
        switch (type().shape()) {
            case LONG -> {
                long value = evalLong(frame);
                if (!frame.isNull) {
                    out.setLong(column, value);
                    return true;
                }
                out.setNull(column);
            }
            case DOUBLE -> {
                double value = evalDouble(frame);
                if (!frame.isNull) {
                    out.setDouble(column, value);
                    return true;
                }
                out.setNull(column);
            }
            case DECIMAL -> FixedDecimal.store(this, out, column, frame);
            case TEXT, FOLDED -> out.setText(column, evalText(frame));
            case BYTES -> out.setBytes(column, evalBytes(frame));
        }
        return !out.isNull(column);
    }

    /// Whether the value is NULL.
    default boolean evalIsNull(Frame frame) {
        return switch (type().shape()) {
            case LONG -> {
                evalLong(frame);
                yield frame.isNull;
            }
            case DOUBLE -> {
                evalDouble(frame);
                yield frame.isNull;
            }
            case DECIMAL -> evalDecimal(frame) == null;
            case TEXT, FOLDED -> evalText(frame) == null;
            case BYTES -> evalBytes(frame) == null;
        };
    }

    /// The direct operands of `scalar`.
    static List<Scalar> operands(Scalar scalar) {
        return switch (scalar) {
            case Constant constant -> List.of();
            case ColumnRef column -> List.of();
            case ParameterRef parameter -> List.of();
            case Now now -> List.of();
            case Argument argument -> List.of();
            case OperatorChain.Prior prior -> List.of();
            case OperatorChain chain -> chain.links();
            case Arithmetic.OfLongs a -> List.of(a.left(), a.right());
            case Arithmetic.OfDoubles a -> List.of(a.left(), a.right());
            case Arithmetic.OfDecimals a -> List.of(a.left(), a.right());
            case Arithmetic.Negated a -> List.of(a.operand());
            case Condition.Comparison c -> List.of(c.left(), c.right());
            case Condition.Between c -> List.of(c.operand(), c.low(), c.high());
            case Condition.Same c -> List.of(c.left(), c.right());
            case Condition.Logical c -> c.terms();
            case Condition.Not c -> List.of(c.operand());
            case Condition.IsNull c -> List.of(c.operand());
            case Condition.IsTruth c -> List.of(c.operand());
            case Condition.In c -> joined(List.of(c.operand()), c.list(), null);
            case Condition.Like c -> joined(List.of(c.operand()), List.of(c.pattern()), c.escape());
            case Conditional.Case c -> joined(c.conditions(), c.results(), c.otherwise());
            case Conditional.Switch c ->
                    joined(
                            joined(List.of(c.operand()), c.values(), null),
                            c.results(),
                            c.otherwise());
            case Conditional.Coalesce c -> c.arguments();
            case Conditional.Extreme c -> c.arguments();
            case Conditional.NullIf c -> List.of(c.left(), c.right());
            case Conversion c -> List.of(c.operand());
            case Concatenation c -> c.parts();
            case FunctionCall c -> c.arguments();
            case Subquery.OfValue c -> c.query().arguments();
            case Subquery.Exists c -> c.query().arguments();
            case Subquery.Any c -> joined(List.of(c.operand()), c.query().arguments(), null);
            case Subquery.RowAny c -> joined(c.operands(), c.query().arguments(), null);
            case Subquery.Member c -> c.operands();
        };
    }

    private static List<Scalar> joined(
            List<Scalar> first, List<Scalar> second, @Nullable Scalar last) {
        List<Scalar> all = new ArrayList<>(first);
        all.addAll(second);
        if (last != null) {
            all.add(last);
        }
        return all;
    }

    /// Whether `scalar` reads no row.
    static boolean isRowFree(Scalar scalar) {
        if (scalar instanceof ColumnRef) {
            return false;
        }
        for (Scalar operand : operands(scalar)) {
            if (!isRowFree(operand)) {
                return false;
            }
        }
        return true;
    }

    /// The value for cardinality estimates: of a constant or an extracted literal; null for other expressions.
    static @Nullable Constant foreseen(Scalar scalar) {
        if (scalar instanceof Constant constant) {
            return constant;
        }
        if (scalar instanceof Conversion conversion
                && conversion.operand().type().name() == Type.Name.TIMESTAMP
                && conversion.type().name() == Type.Name.TIMESTAMP_TZ) {
            Constant local = foreseen(conversion.operand());
            return local == null || local.isNull()
                    ? null
                    : Constant.of(conversion.type(), local.primitive()); // hours do not matter
        }
        return scalar instanceof ParameterRef ref && ref.literal() != null
                ? ref.literal().sample()
                : null;
    }

    /// A value known when the statement is bound.
    ///
    /// @param primitive of the LONG shape, the bits of a DOUBLE, or the digits of a DECIMAL if a long holds them
    /// @param reference of the other shapes, else null
    record Constant(Type type, boolean isNull, long primitive, @Nullable Object reference)
            implements Scalar {
        public static Constant ofNull(Type type) {
            return new Constant(type, true, 0, null);
        }

        public static Constant of(Type type, long value) {
            return new Constant(type, false, value, null);
        }

        public static Constant of(boolean value) {
            return of(Type.of(Type.Name.BOOLEAN), value ? 1 : 0);
        }

        public static Constant of(Type type, double value) {
            return new Constant(type, false, Double.doubleToRawLongBits(value), null);
        }

        /// A constant of the DECIMAL, TEXT or BYTES shape.
        public static Constant of(Type type, Object value) {
            boolean isShort = value instanceof BigDecimal decimal && isShort(decimal);
            long digits = isShort ? ((BigDecimal) value).unscaledValue().longValue() : 0;
            return new Constant(type, false, digits, value);
        }

        private static boolean isShort(BigDecimal value) {
            return value.precision() <= DecimalDigits.DIGITS_MAX
                    && value.scale() >= 0
                    && value.scale() <= DecimalDigits.DIGITS_MAX;
        }

        @Override
        public int digitsScale() {
            return reference instanceof BigDecimal decimal && isShort(decimal)
                    ? decimal.scale()
                    : NO_SCALE;
        }

        @Override
        public long evalDigits(Frame frame) {
            frame.isNull = false;
            return primitive;
        }

        @Override
        public boolean nullable() {
            return isNull;
        }

        @Override
        public long evalLong(Frame frame) {
            frame.isNull = isNull;
            return primitive;
        }

        @Override
        public double evalDouble(Frame frame) {
            frame.isNull = isNull;
            return Double.longBitsToDouble(primitive);
        }

        @Override
        public @Nullable BigDecimal evalDecimal(Frame frame) {
            return (BigDecimal) reference;
        }

        @Override
        public @Nullable String evalText(Frame frame) {
            return (String) reference;
        }

        @Override
        public byte @Nullable [] evalBytes(Frame frame) {
            return (byte[]) reference;
        }
    }

    /// A column of the current row.
    ///
    /// @param name for EXPLAIN
    record ColumnRef(int column, Type type, boolean nullable, String name) implements Scalar {
        @Override
        public long evalLong(Frame frame) {
            Row row = frame.row();
            frame.isNull = row.isNull(column);
            return frame.isNull ? 0 : row.longAt(column);
        }

        @Override
        public double evalDouble(Frame frame) {
            Row row = frame.row();
            frame.isNull = row.isNull(column);
            return frame.isNull ? 0 : row.doubleAt(column);
        }

        @Override
        public @Nullable BigDecimal evalDecimal(Frame frame) {
            return frame.row().decimalAt(column);
        }

        @Override
        public int digitsScale() {
            boolean fits = type.length() > 0 && type.length() <= DecimalDigits.DIGITS_MAX;
            return fits && type.name() == Type.Name.DECIMAL ? type.scale() : NO_SCALE;
        }

        @Override
        public long evalDigits(Frame frame) {
            Row row = frame.row();
            frame.isNull = row.isNull(column);
            return frame.isNull ? 0 : row.digitsAt(column, type.scale());
        }

        @Override
        public @Nullable String evalSymbol(Frame frame) {
            return frame.row().symbolAt(column);
        }

        @Override
        public @Nullable String evalText(Frame frame) {
            return frame.row().textAt(column);
        }

        @Override
        public byte @Nullable [] evalBytes(Frame frame) {
            return frame.row().bytesAt(column);
        }

        @Override
        public boolean evalIsNull(Frame frame) {
            return frame.row().isNull(column);
        }
    }

    /// A parameter of the user, or an extracted literal.
    ///
    /// @param literal null for a parameter of the user
    record ParameterRef(int index, Type type, @Nullable TakenLiteral literal) implements Scalar {
        public ParameterRef(int index, Type type) {
            this(index, type, null);
        }

        @Override
        public boolean nullable() {
            return literal == null;
        }

        @Override
        public long evalLong(Frame frame) {
            Row row = frame.parameters();
            frame.isNull = row.isNull(index);
            return frame.isNull ? 0 : row.longAt(index);
        }

        @Override
        public double evalDouble(Frame frame) {
            Row row = frame.parameters();
            frame.isNull = row.isNull(index);
            return frame.isNull ? 0 : row.doubleAt(index);
        }

        @Override
        public @Nullable BigDecimal evalDecimal(Frame frame) {
            return frame.parameters().decimalAt(index);
        }

        @Override
        public @Nullable String evalText(Frame frame) {
            return frame.parameters().textAt(index);
        }

        @Override
        public byte @Nullable [] evalBytes(Frame frame) {
            return frame.parameters().bytesAt(index);
        }
    }

    /// An argument that an inner query has received from the outer one.
    ///
    /// @param query number of the inner query
    /// @param name for EXPLAIN
    record Argument(int query, int index, Type type, boolean nullable, String name)
            implements Scalar {
        @Override
        public long evalLong(Frame frame) {
            Row row = frame.arguments(query);
            frame.isNull = row.isNull(index);
            return frame.isNull ? 0 : row.longAt(index);
        }

        @Override
        public double evalDouble(Frame frame) {
            Row row = frame.arguments(query);
            frame.isNull = row.isNull(index);
            return frame.isNull ? 0 : row.doubleAt(index);
        }

        @Override
        public @Nullable BigDecimal evalDecimal(Frame frame) {
            return frame.arguments(query).decimalAt(index);
        }

        @Override
        public @Nullable String evalText(Frame frame) {
            return frame.arguments(query).textAt(index);
        }

        @Override
        public byte @Nullable [] evalBytes(Frame frame) {
            return frame.arguments(query).bytesAt(index);
        }
    }

    /// The time of the statement, as a TIMESTAMP WITH TIME ZONE.
    record Now() implements Scalar {
        @Override
        public Type type() {
            return Type.of(Type.Name.TIMESTAMP_TZ);
        }

        @Override
        public boolean nullable() {
            return false;
        }

        @Override
        public long evalLong(Frame frame) {
            frame.isNull = false;
            return frame.nowMicros();
        }
    }
}
