package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.IntegerBytes;
import dev.oriel.sql.plan.IntervalNumbers;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Json;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Conversions that only CAST makes. Integers become bytes and back, as in PostgreSQL 18.
/// Numbers and truth values become JSON, as in H2.
/// Numbers become intervals with fields and back, as in the standard.
final class OtherCasts {
    private final ScalarBinder scalars;
    private final Place place;

    private OtherCasts(ScalarBinder scalars, Place place) {
        this.scalars = scalars;
        this.place = place;
    }

    /// `operand`, which is bound, as the type of `cast`.
    ///
    /// @throws SqlException if there is no such conversion
    static Scalar of(ScalarBinder scalars, Expression.Cast cast, Scalar operand) {
        Place place = scalars.source().at(cast.position());
        OtherCasts casts = new OtherCasts(scalars, place);
        Scalar other = casts.other(cast, operand);
        if (other == null) {
            throw place.error(
                    Kind.NO_CONVERSION,
                    "There is no conversion from " + operand.type() + " to " + cast.type());
        }
        return other;
    }

    private @Nullable Scalar other(Expression.Cast cast, Scalar operand) {
        Type from = operand.type();
        Type to = cast.type();
        Typing.Family source = Typing.family(from);
        Typing.Family target = Typing.family(to);
        boolean number = source == Typing.Family.NUMBER;
        if (Typing.isInteger(from) && target == Typing.Family.BYTES) {
            Scalar bytes =
                    call(operand, Typing.BYTES, value -> IntegerBytes.of((Long) value, from));
            return Folding.fold(new Conversion(bytes, to, true, place));
        }
        if (source == Typing.Family.BYTES && Typing.isInteger(to)) {
            return call(operand, to, value -> IntegerBytes.read((byte[]) value, to, place));
        }
        if (target == Typing.Family.JSON && (number || source == Typing.Family.BOOLEAN)) {
            return call(operand, to, value -> json(value, from));
        }
        if (number && target == Typing.Family.INTERVAL && to.length() > 0) {
            Scalar decimal = scalars.converted(operand, Typing.DECIMAL, place.position());
            String unit = to.intervalFields().split(" ", -1)[0];
            return call(
                    decimal,
                    to,
                    value ->
                            Intervals.fit(IntervalNumbers.of((BigDecimal) value, unit, place), to));
        }
        String fields = source == Typing.Family.INTERVAL ? fields(cast.operand(), from) : "";
        if (target == Typing.Family.NUMBER && !fields.isEmpty()) {
            String unit = fields.split(" ", -1)[0].toUpperCase(Locale.ROOT);
            Scalar decimal =
                    call(
                            operand,
                            Typing.DECIMAL,
                            value -> IntervalNumbers.read((byte[]) value, unit));
            return Folding.fold(new Conversion(decimal, to, true, place));
        }
        return null;
    }

    /// The fields of an interval: those of its type, or of its literal; empty if there are none.
    private static String fields(Expression operand, Type type) {
        if (type.length() > 0) {
            return type.intervalFields();
        }
        Expression inner =
                operand instanceof Expression.Negation negation ? negation.operand() : operand;
        return inner instanceof Expression.IntervalLiteral literal ? literal.fields() : "";
    }

    private interface Body {
        Object of(Object value);
    }

    private Scalar call(Scalar operand, Type type, Body body) {
        return StrictCall.of(
                Function.OTHER_CAST,
                List.of(operand),
                type,
                (values, at) -> body.of(values[0]),
                place);
    }

    private byte[] json(Object value, Type from) {
        if (from.name() == Type.Name.BOOLEAN) {
            return Json.parse((Long) value != 0 ? "true" : "false");
        }
        String text =
                value instanceof BigDecimal number ? number.toPlainString() : value.toString();
        if (value instanceof Double number && !Double.isFinite(number)) {
            throw place.error(Kind.INVALID_VALUE, "JSON has no number " + text);
        }
        return Json.parse(text);
    }
}
