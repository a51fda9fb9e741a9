package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonBuilder;
import dev.oriel.table.value.JsonException;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bodies of the JSON functions.
public final class JsonFunctions {
    private JsonFunctions() {}

    /// Appends the value of `scalar`, of any type: JSON unchanged, numbers, booleans and NULL as such, other types
    /// as a string.
    ///
    /// @return whether it is not NULL
    public static boolean put(Scalar scalar, Frame frame, JsonBuilder out) {
        Object value = StrictCall.value(scalar, frame);
        put(value, scalar.type(), frame, out);
        return value != null;
    }

    private static void put(@Nullable Object value, Type type, Frame frame, JsonBuilder out) {
        switch (value) {
            case null -> out.putNull();
            case Long number -> putLong(number, type, frame, out);
            case Double number -> {
                if (Double.isFinite(number)) {
                    out.putNumber(new BigDecimal(TextFormat.ofDouble(number, type)));
                } else {
                    out.putString(TextFormat.ofDouble(number, type));
                }
            }
            case BigDecimal number when NonFinite.is(number) ->
                    out.putString(NonFinite.text(number));
            case BigDecimal number -> out.putNumber(number);
            case String text -> out.putString(text);
            case byte[] bytes -> {
                if (type.name() == Type.Name.JSON) {
                    out.putJson(bytes, 0);
                } else if (type.element() != null) {
                    putArray(bytes, type, frame, out);
                } else if (type.name() == Type.Name.COMPOSITE) {
                    CompositeFunctions.put(bytes, type.composite(), frame, out);
                } else {
                    out.putString(TextFormat.ofBytes(bytes, type));
                }
            }
            default -> throw new IllegalStateException("no value of " + type);
        }
    }

    private static void putArray(byte[] value, Type type, Frame around, JsonBuilder out) {
        Tuple elements = ArrayFunctions.elements(type, value);
        CurrentRow row = new CurrentRow();
        row.set(elements);
        Frame frame = new Frame(around.execution(), row);
        JsonBuilder.Open array = out.beginArray();
        for (int i = 0; i < elements.columns(); i++) {
            array.element();
            Type element = Typing.element(type);
            put(new Scalar.ColumnRef(i, element, true, ""), frame, out);
        }
        array.end();
    }

    private static void putLong(long value, Type type, Frame frame, JsonBuilder out) {
        if (type.name() == Type.Name.BOOLEAN) {
            out.putBoolean(value != 0);
        } else if (Typing.isInteger(type)) {
            out.putNumber(BigDecimal.valueOf(value));
        } else {
            boolean zoned = type.name() == Type.Name.TIMESTAMP_TZ;
            String text = TextFormat.ofLong(value, type, zoned ? frame.zone() : null);
            boolean hours =
                    zoned && text.charAt(text.length() - 3) != ':' && !NonFinite.isMoment(value);
            boolean timestamp = zoned || type.name() == Type.Name.TIMESTAMP;
            // In ISO 8601, the form of moments in JavaScript and JSON schemas.
            out.putString((timestamp ? text.replace(' ', 'T') : text) + (hours ? ":00" : ""));
        }
    }

    /// The JSON of `builder`, unless it is nested too deep.
    static byte[] built(JsonBuilder builder, Place place) {
        try {
            return Json.checked(builder.toBytes());
        } catch (JsonException tooDeep) {
            throw unfit(tooDeep, place);
        }
    }

    public static SqlException unfit(JsonException unfit, Place place) {
        return place.error(Kind.OUT_OF_RANGE, String.valueOf(unfit.getMessage()));
    }

    /// An object of names and values in turns.
    public static byte[] object(
            List<Scalar> parts, Frame frame, boolean absent, boolean unique, Place place) {
        try {
            JsonBuilder out = new JsonBuilder();
            JsonBuilder.Open object = out.beginObject();
            for (int i = 0; i < parts.size(); i += 2) {
                String name = parts.get(i).evalText(frame);
                if (name == null) {
                    throw place.error(
                            Kind.INVALID_PARAMETER, "The name of a JSON member cannot be NULL");
                }
                Scalar value = parts.get(i + 1);
                if (!absent || !value.evalIsNull(frame)) {
                    object.name(name);
                    put(value, frame, out);
                }
            }
            end(object, unique, place);
            return built(out, place);
        } catch (JsonException unfit) {
            throw unfit(unfit, place);
        }
    }

    private static void end(JsonBuilder.Open object, boolean unique, Place place) {
        if (!unique) {
            object.end();
            return;
        }
        String twice = object.endUnique();
        if (twice != null) {
            throw place.error(
                    Kind.INVALID_VALUE,
                    "A JSON object would have the name \"" + twice + "\" twice");
        }
    }

    public static byte[] array(List<Scalar> elements, Frame frame, boolean absent, Place place) {
        try {
            JsonBuilder out = new JsonBuilder();
            JsonBuilder.Open array = out.beginArray();
            for (Scalar element : elements) {
                if (!absent || !element.evalIsNull(frame)) {
                    array.element();
                    put(element, frame, out);
                }
            }
            array.end();
            return built(out, place);
        } catch (JsonException unfit) {
            throw unfit(unfit, place);
        }
    }

    /// Offset of the member `key` of an object, or of the array element with that number; -1 if there is none.
    /// Negative numbers count from the end.
    public static int step(byte[] json, int at, String key) {
        Json.Kind kind = Json.kind(json, at);
        if (kind == Json.Kind.OBJECT) {
            return Json.member(json, at, key);
        }
        if (kind != Json.Kind.ARRAY) {
            return -1;
        }
        try {
            return step(json, at, Long.parseLong(key.strip()));
        } catch (NumberFormatException noIndex) {
            return -1;
        }
    }

    public static int step(byte[] json, int at, long index) {
        if (Json.kind(json, at) != Json.Kind.ARRAY) {
            return -1;
        }
        return Json.element(json, at, index < 0 ? index + Json.count(json, at) : index);
    }

    public static int follow(byte[] json, List<String> keys) {
        int at = 0;
        for (int i = 0; i < keys.size() && at >= 0; i++) {
            at = step(json, at, keys.get(i));
        }
        return at;
    }

    /// The bytes of a member's name; null if no object can have it.
    public static byte @Nullable [] name(String name) {
        try {
            return Json.name(name);
        } catch (JsonException unfit) {
            return null;
        }
    }

    /// The value at `at` for `->>`: a string without quotes, JSON's null as NULL.
    public static @Nullable String textAt(byte[] json, int at) {
        return switch (Json.kind(json, at)) {
            case NULL -> null;
            case STRING -> Json.string(json, at);
            case NUMBER, BOOLEAN, ARRAY, OBJECT -> Json.text(json, at);
        };
    }

    /// `@>`: whether `a` contains all parts of `b` at the same paths. The order and number of array elements do
    /// not matter; an array at the top also contains single values.
    public static boolean contains(byte[] a, byte[] b) {
        if (Json.kind(a, 0) == Json.Kind.ARRAY && single(Json.kind(b, 0))) {
            return anyContains(a, 0, b, 0);
        }
        return contains(a, 0, b, 0);
    }

    private static boolean single(Json.Kind kind) {
        return kind != Json.Kind.ARRAY && kind != Json.Kind.OBJECT;
    }

    private static boolean contains(byte[] a, int at, byte[] b, int other) {
        Json.Kind kind = Json.kind(b, other);
        if (Json.kind(a, at) != kind) {
            return false;
        }
        return switch (kind) {
            case OBJECT -> containsMembers(a, at, b, other);
            case ARRAY -> containsElements(a, at, b, other);
            case NULL, STRING, NUMBER, BOOLEAN ->
                    Arrays.equals(a, at, Json.end(a, at), b, other, Json.end(b, other));
        };
    }

    private static boolean containsMembers(byte[] a, int at, byte[] b, int other) {
        int i = Json.first(other);
        for (int left = Json.count(b, other); left > 0; left--) {
            int value = Json.value(b, i);
            int mine = Json.member(a, at, Json.name(b, i));
            if (mine < 0 || !contains(a, mine, b, value)) {
                return false;
            }
            i = Json.end(b, value);
        }
        return true;
    }

    private static boolean containsElements(byte[] a, int at, byte[] b, int other) {
        int i = Json.first(other);
        for (int left = Json.count(b, other); left > 0; left--) {
            if (!anyContains(a, at, b, i)) {
                return false;
            }
            i = Json.end(b, i);
        }
        return true;
    }

    private static boolean anyContains(byte[] a, int array, byte[] b, int other) {
        int i = Json.first(array);
        for (int left = Json.count(a, array); left > 0; left--) {
            if (contains(a, i, b, other)) {
                return true;
            }
            i = Json.end(a, i);
        }
        return false;
    }

    /// `||`: merges two objects, of which the second's members win; other values are concatenated as an array.
    public static byte[] concatenated(byte[] a, byte[] b, Place place) {
        JsonBuilder out = new JsonBuilder();
        boolean objects =
                Json.kind(a, 0) == Json.Kind.OBJECT && Json.kind(b, 0) == Json.Kind.OBJECT;
        JsonBuilder.Open whole = objects ? out.beginObject() : out.beginArray();
        for (byte[] json : List.of(a, b)) {
            if (objects) {
                putMembers(json, 0, whole, out, false);
            } else if (Json.kind(json, 0) == Json.Kind.ARRAY) {
                int i = Json.first(0);
                for (int left = Json.count(json, 0); left > 0; left--) {
                    whole.element();
                    out.putJson(json, i);
                    i = Json.end(json, i);
                }
            } else {
                whole.element();
                out.putJson(json, 0);
            }
        }
        whole.end();
        return built(out, place);
    }

    private static void putMembers(
            byte[] json, int at, JsonBuilder.Open whole, JsonBuilder out, boolean strip) {
        int i = Json.first(at);
        for (int left = Json.count(json, at); left > 0; left--) {
            int value = Json.value(json, i);
            if (!strip || Json.kind(json, value) != Json.Kind.NULL) {
                whole.name(Json.name(json, i));
                if (strip) {
                    stripped(json, value, out);
                } else {
                    out.putJson(json, value);
                }
            }
            i = Json.end(json, value);
        }
    }

    /// The value without the object members that are null.
    public static void stripped(byte[] json, int at, JsonBuilder out) {
        switch (Json.kind(json, at)) {
            case OBJECT -> {
                JsonBuilder.Open object = out.beginObject();
                putMembers(json, at, object, out, true);
                object.end();
            }
            case ARRAY -> {
                JsonBuilder.Open array = out.beginArray();
                int i = Json.first(at);
                for (int left = Json.count(json, at); left > 0; left--) {
                    array.element();
                    stripped(json, i, out);
                    i = Json.end(json, i);
                }
                array.end();
            }
            case NULL, STRING, NUMBER, BOOLEAN -> out.putJson(json, at);
        }
    }

    /// IS JSON.
    ///
    /// @param wanted VALUE, SCALAR, ARRAY or OBJECT
    public static boolean isJson(Object value, String wanted, boolean unique) {
        byte[] json;
        if (value instanceof byte[] bytes) {
            json = bytes;
        } else {
            try {
                String text = (String) value;
                json = unique ? Json.parseUnique(text) : Json.parse(text);
            } catch (JsonException noJson) {
                return false;
            }
        }
        Json.Kind kind = Json.kind(json, 0);
        return switch (wanted) {
            case "SCALAR" -> single(kind);
            case "ARRAY" -> kind == Json.Kind.ARRAY;
            case "OBJECT" -> kind == Json.Kind.OBJECT;
            default -> true;
        };
    }
}
