package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.CoercionCheck;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.value.Typing;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.TimePrecision;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.key.CompositeValue;
import dev.oriel.table.key.StoredValues;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonBuilder;
import dev.oriel.table.value.JsonException;
import dev.oriel.table.value.Tuple;
import java.time.DateTimeException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The bodies of the functions of composite values.
public final class CompositeFunctions {
    private CompositeFunctions() {}

    /// The value of `type` with the attributes `parts`.
    public static byte[] made(List<Scalar> parts, CompositeType type, Frame frame) {
        Tuple attributes = new Tuple(parts.size());
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).store(attributes, i, frame);
        }
        return CompositeValue.of(type, attributes);
    }

    /// Attribute `at` of `value`, as in [StrictCall#value].
    public static @Nullable Object attribute(byte[] value, CompositeType type, int at) {
        Tuple attributes = CompositeValue.attributes(type, value, at + 1);
        if (attributes.isNull(at)) {
            return null;
        }
        return switch (type.type(at).shape()) {
            case LONG -> attributes.longAt(at);
            case DOUBLE -> attributes.doubleAt(at);
            case DECIMAL -> attributes.decimalAt(at);
            case TEXT, FOLDED -> attributes.textAt(at);
            case BYTES -> attributes.bytesAt(at);
        };
    }

    private static Frame over(Tuple row, Frame around) {
        CurrentRow current = new CurrentRow();
        current.set(row);
        return new Frame(around.execution(), current);
    }

    /// Whether all attributes are NULL, or none is if `negated`. A missing value is NULL.
    public static boolean isNull(byte @Nullable [] value, CompositeType type, boolean negated) {
        if (value == null) {
            return !negated;
        }
        Tuple attributes = CompositeValue.attributes(type, value);
        for (int i = 0; i < type.size(); i++) {
            if (attributes.isNull(i) == negated) {
                return false;
            }
        }
        return true;
    }

    /// `value` with attribute `at` set to the value in `set`; the others of a missing value are NULL.
    public static byte[] assigned(byte @Nullable [] value, Tuple set, CompositeType type, int at) {
        Tuple attributes =
                value == null ? new Tuple(type.size()) : CompositeValue.attributes(type, value);
        attributes.copy(at, set, 0, type.type(at).shape());
        return CompositeValue.of(type, attributes);
    }

    /// `value`, of the composite type `from`, with its attributes converted to those of the type of `whole`, equal in
    /// number.
    static byte[] converted(byte[] value, Type from, Conversion whole, Frame around) {
        CompositeType source = from.composite();
        CompositeType target = whole.type().composite();
        Tuple converted = new Tuple(target.size());
        Frame frame = over(CompositeValue.attributes(source, value), around);
        for (int i = 0; i < target.size(); i++) {
            Scalar.ColumnRef read = new Scalar.ColumnRef(i, source.type(i), true, "");
            new Conversion(read, target.type(i), whole.explicit(), whole.place())
                    .store(converted, i, frame);
            checkLength(converted, i, target.type(i), whole.place());
        }
        return CompositeValue.of(target, converted);
    }

    private static void checkLength(Tuple row, int i, Type type, Place place) {
        String text = type.shape().isText() ? row.textAt(i) : null;
        if (text != null && !StoredValues.fits(text, type)) {
            throw place.error(Kind.INVALID_VALUE, "An attribute of the value does not fit " + type);
        }
    }

    /// Appends `value` as an object.
    static void put(byte[] value, CompositeType type, Frame around, JsonBuilder out) {
        Frame frame = over(CompositeValue.attributes(type, value), around);
        JsonBuilder.Open object = out.beginObject();
        for (int i = 0; i < type.size(); i++) {
            object.name(type.attributes().get(i).name());
            JsonFunctions.put(new Scalar.ColumnRef(i, type.type(i), true, ""), frame, out);
        }
        object.end();
    }

    /// The value of `type` whose attributes are the members of the object `json` with their names. Those that have no
    /// member are as in `base`, or NULL.
    ///
    /// @param zone zone of moments whose text names none
    public static byte[] populated(
            byte @Nullable [] base,
            byte[] json,
            int from,
            CompositeType type,
            Zone zone,
            Place place) {
        if (Json.kind(json, from) != Json.Kind.OBJECT) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "A record needs a JSON object, not a value of kind "
                            + Json.kind(json, from).name().toLowerCase(Locale.ROOT));
        }
        Tuple attributes =
                base == null ? new Tuple(type.size()) : CompositeValue.attributes(type, base);
        for (int i = 0; i < type.size(); i++) {
            String name = type.attributes().get(i).name();
            int own = Json.member(json, from, name);
            int member = own >= 0 ? own : Json.member(json, from, name.toLowerCase(Locale.ROOT));
            if (member >= 0) {
                set(attributes, i, json, member, type.type(i), zone, place);
            }
        }
        return CompositeValue.of(type, attributes);
    }

    /// Sets column `i` of `row` to the JSON value at `at`, as `type`.
    private static void set(
            Tuple row, int i, byte[] json, int at, Type type, Zone zone, Place place) {
        Json.Kind kind = Json.kind(json, at);
        if (kind == Json.Kind.NULL && type.name() != Type.Name.JSON) {
            row.setNull(i);
        } else if (type.name() == Type.Name.JSON) {
            row.setBytes(i, kind == Json.Kind.NULL ? null : Json.copy(json, at));
        } else if (type.name() == Type.Name.COMPOSITE && kind == Json.Kind.OBJECT) {
            row.setBytes(i, populated(null, json, at, type.composite(), zone, place));
        } else if (type.element() != null && kind == Json.Kind.ARRAY) {
            row.setBytes(i, elements(json, at, type, zone, place));
        } else {
            String text = String.valueOf(JsonFunctions.textAt(json, at));
            try {
                TextFormat.parse(text, type.withoutDomain(), zone, row, i);
            } catch (JsonException unfit) {
                throw place.error(Kind.INVALID_VALUE, String.valueOf(unfit.getMessage()));
            } catch (IllegalArgumentException | ArithmeticException | DateTimeException unfit) {
                throw place.error(
                        TextFormat.kind(unfit, type),
                        "'" + text + "' is not a value of type " + type);
            }
            if (!fitted(row, i, type)) {
                throw place.error(
                        type.shape() == Type.Shape.DECIMAL || type.shape() == Type.Shape.DOUBLE
                                ? Kind.OUT_OF_RANGE
                                : Kind.INVALID_VALUE,
                        "'" + text + "' does not fit " + type);
            }
        }
    }

    /// Rounds the value to `type`; false if it does not fit.
    private static boolean fitted(Tuple row, int i, Type type) {
        if (CoercionCheck.fit(row, i, type) != null) {
            return false;
        }
        byte[] parts =
                type.element() != null || type.name() == Type.Name.COMPOSITE
                        ? row.bytesAt(i)
                        : null;
        if (parts != null) {
            byte[] fitted = CoercionCheck.parts(parts, type);
            row.setBytes(i, fitted);
            return fitted != null;
        }
        if (type.shape() == Type.Shape.LONG && type.length() > 0) {
            row.setLong(i, TimePrecision.rounded(row.longAt(i), type));
        }
        return true;
    }

    private static byte[] elements(byte[] json, int at, Type array, Zone zone, Place place) {
        Type element = Typing.element(array);
        Tuple elements = new Tuple(Json.count(json, at));
        int next = Json.first(at);
        for (int i = 0; i < elements.columns(); i++) {
            set(elements, i, json, next, element, zone, place);
            next = Json.end(json, next);
        }
        return ArrayValue.of(element, elements, elements.columns());
    }
}
