package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.BitText;
import dev.oriel.sql.value.Decimals;
import dev.oriel.sql.value.Integers;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Temporals;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.value.Typing;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.TimePrecision;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.ZonedTime;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// `CAST(operand AS type)`, explicit or implied. The binder has ensured that the types are convertible; a value
/// may still not fit.
///
/// @param explicit whether it was written: then text and bytes that are too long are cut
public record Conversion(Scalar operand, Type type, boolean explicit, Place place)
        implements Scalar {
    private static final double LONG_LIMIT = 0x1p63;

    private static final int UUID_BYTES = 16;

    /// Whether the conversion depends on the time zone of the session: it converts moments to or from other values. A
    /// text that is a constant may name its zone.
    boolean readsZone() {
        if (!crosses(operand.type(), type)) {
            return false;
        }
        return !(operand instanceof Constant constant)
                || !(constant.isNull() || namesZone(constant));
    }

    /// Whether moments of `from` become something else in `to`, or the other way round.
    private static boolean crosses(Type from, Type to) {
        if (from.element() != null && to.element() != null) {
            return crosses(from.element(), to.element());
        }
        boolean composites = from.name() == Type.Name.COMPOSITE && to.name() == Type.Name.COMPOSITE;
        if (!composites || from.composite().size() != to.composite().size()) {
            return isMoment(from) != isMoment(to) || (hasTimes(to) && !hasTimes(from));
        }
        for (int i = 0; i < to.composite().size(); i++) {
            if (crosses(from.composite().type(i), to.composite().type(i))) {
                return true;
            }
        }
        return false;
    }

    /// Whether values of `type` are moments, or arrays or composite values with such.
    static boolean isMoment(Type type) {
        Type single = type.element() == null ? type : type.element();
        if (single.name() != Type.Name.COMPOSITE) {
            return single.name() == Type.Name.TIMESTAMP_TZ;
        }
        CompositeType composite = single.composite();
        for (int i = 0; i < composite.size(); i++) {
            if (isMoment(composite.type(i))) {
                return true;
            }
        }
        return false;
    }

    /// Whether values of `type` are times with zone, or arrays or composite values with such.
    private static boolean hasTimes(Type type) {
        Type single = type.element() == null ? type : type.element();
        return single.name() == Type.Name.COMPOSITE
                ? single.composite().attributes().stream().anyMatch(part -> hasTimes(part.type()))
                : single.name() == Type.Name.TIME_TZ;
    }

    /// Whether `constant` is a text that names its zone; malformed texts do not depend on one.
    private boolean namesZone(Constant constant) {
        boolean time = type.name() == Type.Name.TIME_TZ;
        if (!constant.type().shape().isText() || (!time && type.name() != Type.Name.TIMESTAMP_TZ)) {
            return false;
        }
        try {
            String text = (String) Objects.requireNonNull(constant.reference());
            return time ? Temporals.timeNamesZone(text) : Temporals.namesZone(text);
        } catch (DateTimeException malformed) {
            return true;
        }
    }

    /// The time of an infinite timestamp is NULL.
    @Override
    public boolean nullable() {
        return operand.nullable()
                || ((type.name() == Type.Name.TIME || type.name() == Type.Name.TIME_TZ)
                        && Typing.family(operand.type()) == Typing.Family.DATE);
    }

    @Override
    public long evalLong(Frame frame) {
        long value = whole(frame);
        return type.length() == 0 ? value : TimePrecision.rounded(value, type);
    }

    private long whole(Frame frame) {
        return switch (operand.type().shape()) {
            case LONG -> {
                long value = operand.evalLong(frame);
                yield frame.isNull ? 0 : fromLong(value, frame);
            }
            case DOUBLE -> {
                double value = operand.evalDouble(frame);
                yield frame.isNull ? 0 : fromDouble(value);
            }
            case DECIMAL -> {
                BigDecimal value = operand.evalDecimal(frame);
                frame.isNull = value == null;
                yield value == null ? 0 : fromDecimal(value);
            }
            case TEXT, FOLDED -> {
                String value = operand.evalText(frame);
                frame.isNull = value == null;
                yield value == null
                        ? 0
                        : Typing.isBits(operand.type()) ? fromBits(value) : fromText(value, frame);
            }
            case BYTES -> {
                byte[] value = operand.evalBytes(frame);
                frame.isNull = value == null;
                yield value == null
                        ? 0
                        : type.name() == Type.Name.TIME ? Intervals.time(value) : fromJson(value);
            }
        };
    }

    /// A JSON number or boolean; PostgreSQL converts no other values.
    private long fromJson(byte[] json) {
        if (type.name() == Type.Name.BOOLEAN) {
            if (Json.kind(json, 0) != Json.Kind.BOOLEAN) {
                throw notOf(json);
            }
            return Json.truth(json, 0) ? 1 : 0;
        }
        return fromDecimal(number(json));
    }

    private BigDecimal number(byte[] json) {
        if (Json.kind(json, 0) != Json.Kind.NUMBER) {
            throw notOf(json);
        }
        return Json.number(json, 0);
    }

    private SqlException notOf(byte[] json) {
        return place.error(
                Kind.INVALID_VALUE,
                "A JSON value of kind "
                        + Json.kind(json, 0).name().toLowerCase(Locale.ROOT)
                        + " cannot become "
                        + type
                        + ": \"->>\" makes text of it");
    }

    private long fromLong(long given, Frame frame) {
        Type.Name from = operand.type().name();
        if (from == Type.Name.TIME_TZ) {
            return type.name() == from ? given : ZonedTime.local(given);
        }
        boolean shown = from == Type.Name.TIMESTAMP_TZ && type.name() != from;
        long value = shown ? local(given, frame.zone()) : given;
        return switch (type.name()) {
            case BOOLEAN -> value != 0 ? 1 : 0;
            case TINYINT, SMALLINT, INTEGER, BIGINT -> Integers.checked(value, type, place);
            case DATE -> from == Type.Name.DATE ? value : Temporals.day(value);
            case TIME -> {
                boolean infinite = from != Type.Name.TIME && NonFinite.is(value, from);
                frame.isNull = infinite; // as in PostgreSQL
                yield from == Type.Name.TIME || infinite
                        ? value
                        : Math.floorMod(value, Temporals.MICROS_PER_DAY);
            }
            case TIME_TZ -> zonedTime(given, value, from, frame);
            case TIMESTAMP -> from == Type.Name.DATE ? startOfDay(value) : value;
            case TIMESTAMP_TZ ->
                    from == type.name()
                            ? value
                            : moment(
                                    from == Type.Name.DATE ? startOfDay(value) : value,
                                    frame.zone());
            case ENUM -> value;
            case DECIMAL,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARCHAR,
                    VARCHAR_IGNORECASE,
                    CLOB,
                    BINARY,
                    VARBINARY,
                    BLOB,
                    UUID,
                    JSON,
                    ARRAY,
                    COMPOSITE,
                    INTERVAL,
                    BIT,
                    VARBIT ->
                    throw impossible();
        };
    }

    /// @param value what clocks show at the moment `given`
    private long zonedTime(long given, long value, Type.Name from, Frame frame) {
        Zone zone = frame.zone();
        if (from == Type.Name.TIME) {
            return ZonedTime.of(value, zone.seconds(frame.nowMicros()));
        }
        frame.isNull = NonFinite.isMoment(given); // as in PostgreSQL
        long moment = from == Type.Name.TIMESTAMP ? moment(value, zone) : given;
        return frame.isNull
                ? 0
                : ZonedTime.of(
                        Math.floorMod(value, Temporals.MICROS_PER_DAY), zone.seconds(moment));
    }

    private long local(long moment, Zone zone) {
        try {
            return zone.local(moment);
        } catch (ArithmeticException | DateTimeException beyond) {
            throw Integers.outOfRange(type, place);
        }
    }

    private long moment(long local, Zone zone) {
        try {
            return zone.moment(local);
        } catch (ArithmeticException | DateTimeException beyond) {
            throw Integers.outOfRange(type, place);
        }
    }

    private long startOfDay(long days) {
        try {
            return Temporals.startOfDay(days);
        } catch (DateTimeException tooFar) {
            throw Integers.outOfRange(type, place);
        }
    }

    private long fromDouble(double value) {
        double rounded = Math.rint(value);
        if (!(rounded >= -LONG_LIMIT && rounded < LONG_LIMIT)) {
            throw Integers.outOfRange(type, place);
        }
        return Integers.checked((long) rounded, type, place);
    }

    private long fromDecimal(BigDecimal value) {
        if (NonFinite.is(value)) {
            throw place.error(
                    Kind.OUT_OF_RANGE, NonFinite.text(value) + " has no value of type " + type);
        }
        if (value.precision() - (long) value.scale() > 19) {
            throw Integers.outOfRange(type, place);
        }
        try {
            long rounded = value.setScale(0, RoundingMode.HALF_UP).longValueExact();
            return Integers.checked(rounded, type, place);
        } catch (ArithmeticException tooLong) {
            throw Integers.outOfRange(type, place);
        }
    }

    private long fromBits(String bits) {
        try {
            return Integers.checked(BitText.toLong(bits, type), type, place);
        } catch (ArithmeticException tooMany) {
            throw Integers.outOfRange(type, place);
        }
    }

    private long fromText(String text, Frame frame) {
        try {
            return type.name() == Type.Name.TIME_TZ
                    ? TextFormat.parseZonedTime(text, frame.zone(), frame.nowMicros())
                    : TextFormat.parseLong(text, type, zone(frame));
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException unfit) {
            throw invalid(text, unfit);
        }
    }

    @Override
    public double evalDouble(Frame frame) {
        double value =
                switch (operand.type().shape()) {
                    case LONG -> (double) operand.evalLong(frame);
                    case DOUBLE -> operand.evalDouble(frame);
                    case DECIMAL -> {
                        BigDecimal decimal = operand.evalDecimal(frame);
                        frame.isNull = decimal == null;
                        yield decimal == null ? 0 : ofDecimal(decimal);
                    }
                    case TEXT, FOLDED -> {
                        String text = operand.evalText(frame);
                        frame.isNull = text == null;
                        yield text == null ? 0 : parsedDouble(text);
                    }
                    case BYTES -> {
                        byte[] json = operand.evalBytes(frame);
                        frame.isNull = json == null;
                        yield json == null ? 0 : finite(number(json).doubleValue());
                    }
                };
        if (type.name() != Type.Name.REAL) {
            return value;
        }
        float real = (float) value;
        return Float.isInfinite(real) && Double.isFinite(value) ? finite(real) : real;
    }

    private double ofDecimal(BigDecimal value) {
        return NonFinite.is(value) ? NonFinite.toDouble(value) : finite(value.doubleValue());
    }

    private double finite(double value) {
        if (Double.isInfinite(value)) {
            throw Integers.outOfRange(type, place);
        }
        return value;
    }

    private double parsedDouble(String text) {
        try {
            return TextFormat.parseDouble(text, type);
        } catch (IllegalArgumentException | ArithmeticException unfit) {
            throw invalid(text, unfit);
        }
    }

    @Override
    public @Nullable BigDecimal evalDecimal(Frame frame) {
        return switch (operand.type().shape()) {
            case LONG -> {
                long value = operand.evalLong(frame);
                yield frame.isNull ? null : fit(BigDecimal.valueOf(value));
            }
            case DOUBLE -> {
                double value = operand.evalDouble(frame);
                if (frame.isNull) {
                    yield null;
                }
                boolean real = operand.type().name() == Type.Name.REAL && Double.isFinite(value);
                yield fit(
                        real
                                ? TextFormat.parseDecimal(Float.toString((float) value))
                                : Decimals.of(value));
            }
            case DECIMAL -> {
                BigDecimal value = operand.evalDecimal(frame);
                yield value == null ? null : fit(value);
            }
            case TEXT, FOLDED -> {
                String text = operand.evalText(frame);
                yield text == null ? null : fit(parsedDecimal(text));
            }
            case BYTES -> {
                byte[] json = operand.evalBytes(frame);
                yield json == null ? null : fit(number(json));
            }
        };
    }

    /// The scale of an integer converted to a decimal without a scale, and of a decimal that keeps its own.
    @Override
    public int digitsScale() {
        if (type.name() != Type.Name.DECIMAL || type.length() > 0) {
            return NO_SCALE;
        }
        if (Typing.isInteger(operand.type())) {
            return operand instanceof ColumnRef || operand instanceof Constant ? 0 : NO_SCALE;
        }
        return operand.digitsScale();
    }

    @Override
    public long evalDigits(Frame frame) {
        return Typing.isInteger(operand.type())
                ? operand.evalLong(frame)
                : operand.evalDigits(frame);
    }

    private BigDecimal fit(BigDecimal value) {
        return Decimals.fit(value, type, place);
    }

    private BigDecimal parsedDecimal(String text) {
        try {
            return TextFormat.parseDecimal(text);
        } catch (IllegalArgumentException | ArithmeticException unfit) {
            throw invalid(text, unfit);
        }
    }

    private @Nullable String bits(Frame frame) {
        String bits =
                switch (operand.type().shape()) {
                    case LONG -> {
                        long value = operand.evalLong(frame);
                        yield frame.isNull ? null : BitText.of(value, operand.type(), type);
                    }
                    case TEXT, FOLDED -> {
                        String value = operand.evalText(frame);
                        yield value == null || Typing.isBits(operand.type())
                                ? value
                                : parsedBits(value);
                    }
                    case BYTES -> {
                        byte[] value = operand.evalBytes(frame);
                        yield value == null ? null : BitText.of(value);
                    }
                    case DOUBLE, DECIMAL -> throw impossible();
                };
        return bits == null || !explicit ? bits : BitText.fit(bits, type);
    }

    private String parsedBits(String text) {
        try {
            return BitText.parse(text);
        } catch (IllegalArgumentException unfit) {
            throw invalid(text, unfit);
        }
    }

    @Override
    public @Nullable String evalText(Frame frame) {
        if (Typing.isBits(type)) {
            return bits(frame);
        }
        String text =
                switch (operand.type().shape()) {
                    case LONG -> {
                        long value = operand.evalLong(frame);
                        yield frame.isNull ? null : written(value, zone(frame));
                    }
                    case DOUBLE -> {
                        double value = operand.evalDouble(frame);
                        yield frame.isNull ? null : TextFormat.ofDouble(value, operand.type());
                    }
                    case DECIMAL -> {
                        BigDecimal value = operand.evalDecimal(frame);
                        yield value == null ? null : NonFinite.text(value);
                    }
                    case TEXT, FOLDED -> operand.evalText(frame);
                    case BYTES -> {
                        byte[] value = operand.evalBytes(frame);
                        yield value == null ? null : written(value, zone(frame));
                    }
                };
        if (text == null || !explicit || type.length() == 0 || text.length() <= type.length()) {
            return text;
        }
        int characters = text.codePointCount(0, text.length());
        return characters <= type.length()
                ? text
                : text.substring(0, text.offsetByCodePoints(0, type.length()));
    }

    /// The zone of the session; null if there are no moments.
    private @Nullable Zone zone(Frame frame) {
        boolean reads = isMoment(operand.type()) || isMoment(type) || hasTimes(type);
        return reads ? frame.zone() : null;
    }

    private String written(long value, @Nullable Zone zone) {
        try {
            return TextFormat.ofLong(value, operand.type(), zone);
        } catch (ArithmeticException | DateTimeException beyond) {
            throw Integers.outOfRange(operand.type(), place);
        }
    }

    private String written(byte[] value, @Nullable Zone zone) {
        return TextFormat.ofBytes(value, operand.type(), zone);
    }

    @Override
    public byte @Nullable [] evalBytes(Frame frame) {
        return switch (operand.type().shape()) {
            case TEXT, FOLDED -> {
                String text = operand.evalText(frame);
                yield text == null ? null : parsedBytes(text, frame);
            }
            case BYTES -> {
                byte[] value = operand.evalBytes(frame);
                yield value == null
                        ? null
                        : type.element() != null || type.name() == Type.Name.COMPOSITE
                                ? parts(value, operand.type(), frame)
                                : type.name() == Type.Name.INTERVAL
                                        ? Intervals.fit(value, type)
                                        : sized(value);
            }
            case LONG -> {
                long time = operand.evalLong(frame);
                yield frame.isNull ? null : Intervals.bytes(new Intervals.Span(0, 0, time));
            }
            case DOUBLE, DECIMAL -> throw impossible();
        };
    }

    /// An array or a composite value with its parts converted.
    private byte[] parts(byte[] value, Type from, Frame frame) {
        return type.element() != null
                ? ArrayFunctions.converted(value, from, this, frame)
                : CompositeFunctions.converted(value, from, this, frame);
    }

    private byte[] parsedBytes(String text, Frame frame) {
        try {
            byte[] parsed = TextFormat.parseBytes(text, type, zone(frame));
            return type.element() == null && type.name() != Type.Name.COMPOSITE
                    ? sized(parsed)
                    : parts(parsed, type, frame);
        } catch (JsonException unfit) {
            throw place.error(Kind.INVALID_VALUE, String.valueOf(unfit.getMessage()));
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException unfit) {
            throw invalid(text, unfit);
        }
    }

    /// `bytes` cut to the length of the type; an error for a UUID of another length.
    private byte[] sized(byte[] bytes) {
        if (type.name() == Type.Name.UUID && bytes.length != UUID_BYTES) {
            throw place.error(
                    Kind.INVALID_VALUE, "A UUID has " + UUID_BYTES + " bytes, not " + bytes.length);
        }
        boolean limited = type.name() == Type.Name.BINARY || type.name() == Type.Name.VARBINARY;
        return explicit && limited && type.length() > 0 && bytes.length > type.length()
                ? Arrays.copyOf(bytes, type.length())
                : bytes;
    }

    private SqlException invalid(String text, RuntimeException unfit) {
        return place.error(
                TextFormat.kind(unfit, type), "'" + text + "' is not a value of type " + type);
    }

    private IllegalStateException impossible() {
        return new IllegalStateException("no conversion from " + operand.type() + " to " + type);
    }
}
