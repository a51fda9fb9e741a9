package dev.oriel;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.Session;
import dev.oriel.sql.engine.ArrayLiteral;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.StoredValues;
import dev.oriel.table.value.IntervalValue;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonException;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.SQLException;
import java.sql.Struct;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The parameters of a prepared statement: converts given values into the shape that the statement reads, and
/// knows which are still missing. Parameters are numbered from 1, as in JDBC.
///
/// Given values are kept here until they are copied for a run: a result of the last run may still be read, with
/// its own parameters.
///
/// Numbers are checked against the range of the parameter's type here, for an integer of another width would not
/// compare as itself in an index.
final class Parameters {
    private final Tuple values;
    private final Type[] types;

    /// The statement that knows labels added to its types, and its connection; null if there is none.
    private final @Nullable Prepared prepared;

    private final @Nullable JdbcConnection connection;

    /// Types of the values given; null if the statement takes all in the types of [#types].
    private @Nullable OpenParameters open;

    private final boolean[] given;
    private final int first;

    /// @param first number of the first given parameter
    Parameters(JdbcConnection connection, Prepared prepared, int first) {
        this(
                connection,
                prepared,
                prepared.parameters().toArray(new Type[0]),
                new Tuple(prepared.parameters().size()),
                first);
    }

    /// Values of `types`, stored in `values`, the first numbered `first`.
    ///
    /// @param connection in whose time zone texts are read; null for UTC
    Parameters(@Nullable JdbcConnection connection, Type[] types, Tuple values, int first) {
        this(connection, null, types, values, first);
    }

    /// These parameters with the fixed types `read`, to be stored in `values`.
    private Parameters(Parameters from, List<Type> read, Tuple values) {
        this.connection = from.connection;
        this.prepared = from.prepared;
        this.first = from.first;
        this.types = read.toArray(new Type[0]);
        this.values = values;
        this.open = null;
        this.given = new boolean[types.length];
    }

    private Parameters(
            @Nullable JdbcConnection connection,
            @Nullable Prepared prepared,
            Type[] types,
            Tuple values,
            int first) {
        this.connection = connection;
        this.prepared = prepared;
        this.first = first;
        this.types = types;
        this.values = values;
        this.open = OpenParameters.of(prepared, types);
        this.given = new boolean[types.length];
    }

    private @Nullable Session session() {
        return connection == null ? null : connection.session();
    }

    int count() {
        return types.length;
    }

    Type type(int parameter) throws SQLException {
        return types[at(parameter)];
    }

    private int at(int parameter) throws SQLException {
        if (parameter < first || parameter - first >= types.length) {
            String has =
                    types.length == 0
                            ? "no parameters"
                            : "the parameters " + first + " to " + (first + types.length - 1);
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT,
                    "There is no parameter " + parameter + ": the statement has " + has);
        }
        return parameter - first;
    }

    /// The tuple for the value of a parameter, which counts as given from now on.
    private Tuple target(int at) {
        given[at] = true;
        return values;
    }

    void clear() {
        Arrays.fill(given, false);
        for (int i = 0; i < types.length; i++) {
            values.setNull(i);
            if (open != null) {
                var _ = open.holdText(i);
            }
        }
    }

    /// Whether `parameter` has a value.
    boolean isGiven(int parameter) {
        return given[parameter - first];
    }

    /// Refuses a run if a parameter has no value.
    void checkGiven() throws SQLException {
        for (int at = 0; at < given.length; at++) {
            if (!given[at]) {
                throw SqlStates.exception(
                        SqlStates.PARAMETER_MISSING, "Parameter " + (at + first) + " has no value");
            }
        }
    }

    /// Copies the values into `into`, in the types that the statement reads.
    ///
    /// @return these types, for a row of a batch; null if they are the same for all values
    Prepared.@Nullable ValueTypes copyTo(Tuple into) throws SQLException {
        if (open == null) {
            for (int i = 0; i < types.length; i++) {
                into.copy(i, values, i, types[i].shape());
            }
            return null;
        }
        return copy(open, into);
    }

    /// The types of a row for which [#copyTo] gave none.
    Prepared.ValueTypes usualTypes() {
        return new Prepared.ValueTypes(List.of(), List.of(types));
    }

    private Prepared.ValueTypes copy(OpenParameters from, Tuple into) throws SQLException {
        Prepared.ValueTypes read;
        try {
            read = from.plan();
        } catch (RuntimeException e) {
            throw SqlStates.exception(e);
        }
        Parameters converted = null;
        for (int i = 0; i < types.length; i++) {
            Type held = from.held(i);
            if (values.isNull(i)) {
                into.setNull(i);
            } else if (OpenParameters.isSame(held, read.held().get(i))) {
                into.copy(i, values, i, held.shape());
            } else {
                if (converted == null) {
                    converted = new Parameters(this, read.held(), into);
                }
                converted.setObject(i + first, JavaValues.exact(values, i, held));
            }
        }
        return read;
    }

    /// The type to store a value of type `own` in.
    private Type stored(int at, Type own) {
        return open == null ? types[at] : open.hold(at, own);
    }

    /// The type to store a number of type `own` in; `type` if that `fits`.
    private Type wide(int at, boolean fits, Type type, Type own) {
        if (fits || prepared == null) {
            return type;
        }
        OpenParameters all = open == null ? OpenParameters.ofNone(prepared, types) : open;
        if (!all.widen(at, own)) {
            return type;
        }
        open = all;
        return own;
    }

    void setNull(int parameter) throws SQLException {
        int at = at(parameter);
        target(at).setNull(at);
    }

    /// NULL of the JDBC type `code`.
    void setNull(int parameter, int code) throws SQLException {
        int at = at(parameter);
        target(at).setNull(at);
        if (open != null && TargetType.isText(code)) {
            var _ = open.holdText(at);
        } else if (open != null) {
            Type own = TargetType.ofNull(code);
            if (own != null) {
                var _ = open.hold(at, own);
            }
        }
    }

    void setLong(int parameter, long value) throws SQLException {
        setLong(parameter, value, ValueType.BIGINT);
    }

    /// @param own type of the value
    void setLong(int parameter, long value, Type own) throws SQLException {
        int at = at(parameter);
        Type type = stored(at, own);
        store(at, value, wide(at, OpenParameters.fits(value, type), type, own));
    }

    private void store(int at, long value, Type type) throws SQLException {
        switch (type.name()) {
            case BIGINT -> target(at).setLong(at, value);
            case INTEGER -> setInteger(at, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case SMALLINT -> setInteger(at, value, Short.MIN_VALUE, Short.MAX_VALUE);
            case TINYINT -> setInteger(at, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case BOOLEAN -> setInteger(at, value, 0, 1);
            case REAL, DOUBLE -> target(at).setDouble(at, (double) value);
            case DECIMAL -> target(at).setDecimal(at, BigDecimal.valueOf(value));
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB ->
                    target(at).setText(at, Long.toString(value));
            case BINARY,
                    VARBINARY,
                    BLOB,
                    DATE,
                    TIME,
                    TIME_TZ,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    ARRAY,
                    COMPOSITE,
                    INTERVAL,
                    ENUM,
                    BIT,
                    VARBIT ->
                    throw mismatch(at + first, "a number");
        }
    }

    private void setInteger(int at, long value, long min, long max) throws SQLException {
        if (value < min || value > max) {
            throw Values.outOfRange(value, "parameter " + (at + first) + ", " + types[at]);
        }
        target(at).setLong(at, value);
    }

    void setBoolean(int parameter, boolean value) throws SQLException {
        int at = at(parameter);
        Type type = stored(at, ValueType.BOOLEAN);
        if (type.shape().isText()) {
            target(at).setText(at, value ? "true" : "false");
        } else {
            store(at, value ? 1 : 0, type);
        }
    }

    void setDouble(int parameter, double value) throws SQLException {
        int at = at(parameter);
        Type type = stored(at, ValueType.DOUBLE);
        store(at, value, wide(at, OpenParameters.fits(value, type), type, ValueType.DOUBLE));
    }

    private void store(int at, double value, Type type) throws SQLException {
        switch (type.name()) {
            case REAL, DOUBLE -> setReal(at, value, type);
            case DECIMAL ->
                    target(at)
                            .setDecimal(
                                    at,
                                    Double.isFinite(value)
                                            ? Values.decimalOf(value, Type.of(Type.Name.DOUBLE))
                                            : NonFinite.of(value));
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB ->
                    target(at).setText(at, Values.doubleText(value));
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> {
                if (value != Math.rint(value)) {
                    throw Values.outOfRange(
                            value, "parameter " + (at + first) + ", which is " + type);
                }
                store(at, Values.longOf(value), type);
            }
            case BINARY,
                    VARBINARY,
                    BLOB,
                    DATE,
                    TIME,
                    TIME_TZ,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    ARRAY,
                    COMPOSITE,
                    INTERVAL,
                    ENUM,
                    BIT,
                    VARBIT ->
                    throw mismatch(at + first, "a number");
        }
    }

    /// Parts of values and values of a named type are checked here, for no column checks them.
    private void setReal(int at, double value, Type type) throws SQLException {
        boolean checked = prepared == null && type.name() == Type.Name.REAL;
        if (checked && Double.isFinite(value) && Float.isInfinite((float) value)) {
            throw Values.outOfRange(value, "parameter " + (at + first) + ", which is " + type);
        }
        target(at).setDouble(at, value);
    }

    /// A float means the decimal number of its printed form.
    void setFloat(int parameter, float value) throws SQLException {
        int at = at(parameter);
        Type type = stored(at, ValueType.REAL);
        Type own = wide(at, OpenParameters.fits(value, type), type, ValueType.REAL);
        boolean exact = own.name() == Type.Name.REAL || !Float.isFinite(value);
        store(at, exact ? value : Double.parseDouble(Float.toString(value)), own);
    }

    void setDecimal(int parameter, BigDecimal given) throws SQLException {
        int at = at(parameter);
        BigDecimal value = Values.checked(given, "parameter " + parameter);
        Type type = stored(at, ValueType.DECIMAL);
        set(parameter, value, wide(at, OpenParameters.fits(value, type), type, ValueType.DECIMAL));
    }

    private void set(int parameter, BigDecimal value, Type type) throws SQLException {
        int at = at(parameter);
        switch (type.name()) {
            case DECIMAL -> target(at).setDecimal(at, value);
            case REAL, DOUBLE -> {
                double nearest = value.doubleValue();
                if (Double.isInfinite(nearest)) {
                    throw Values.outOfRange(value, "parameter " + parameter + ", which is " + type);
                }
                setReal(at, nearest, type);
            }
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB ->
                    target(at).setText(at, value.toPlainString());
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> {
                if (value.stripTrailingZeros().scale() > 0) {
                    throw Values.outOfRange(value, "parameter " + parameter + ", which is " + type);
                }
                store(at, Values.longOf(value), type);
            }
            case BINARY,
                    VARBINARY,
                    BLOB,
                    DATE,
                    TIME,
                    TIME_TZ,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    ARRAY,
                    COMPOSITE,
                    INTERVAL,
                    ENUM,
                    BIT,
                    VARBIT ->
                    throw mismatch(parameter, "a number");
        }
    }

    /// Texts are read as the parameter's type.
    void setText(int parameter, String value) throws SQLException {
        int at = at(parameter);
        Type type = open == null ? types[at] : open.holdText(at);
        switch (type.name()) {
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB -> target(at).setText(at, value);
            case BIT, VARBIT -> {
                boolean bits = value.chars().allMatch(c -> c == '0' || c == '1');
                if (!bits) {
                    throw SqlStates.exception(
                            SqlStates.INVALID_TEXT,
                            "Parameter "
                                    + parameter
                                    + ": '"
                                    + value
                                    + "' is no bit string; write only 0 and 1");
                }
                target(at).setText(at, value);
            }
            case BOOLEAN -> setBoolean(parameter, Values.parseBoolean(value));
            case DECIMAL -> {
                BigDecimal other = NonFinite.of(value);
                if (other == null) {
                    setDecimal(parameter, Values.parseDecimal(value));
                } else {
                    target(at).setDecimal(at, other);
                }
            }
            case TINYINT, SMALLINT, INTEGER, BIGINT ->
                    set(
                            parameter,
                            Values.checked(Values.parseDecimal(value), "parameter " + parameter),
                            type);
            case REAL, DOUBLE -> setReal(at, Values.parseDouble(value), type);
            case DATE -> setDate(parameter, DateTimes.parseDate(value));
            case TIME -> setTime(parameter, DateTimes.parseTime(value));
            case TIME_TZ ->
                    setTimeWithZone(parameter, DateTimes.parseTimeWithZone(value, session()));
            case TIMESTAMP -> setTimestamp(parameter, DateTimes.parseTimestamp(value));
            case TIMESTAMP_TZ ->
                    setTimestampWithZone(
                            parameter, DateTimes.parseTimestampWithZone(value, session()));
            case UUID -> setUuid(parameter, Values.parseUuid(value));
            case JSON -> target(at).setBytes(at, jsonOf(parameter, value));
            case ARRAY, COMPOSITE, INTERVAL ->
                    target(at).setBytes(at, literalOf(parameter, value, current(at)));
            case ENUM -> {
                EnumType labels = current(at).labels();
                int label = labels.indexOf(value);
                if (label < 0) {
                    throw SqlStates.exception(
                            SqlStates.INVALID_TEXT,
                            "Parameter "
                                    + parameter
                                    + ": '"
                                    + value
                                    + "' is not a value of type "
                                    + labels.name());
                }
                target(at).setLong(at, labels.labels().get(label).place());
            }
            case BINARY, VARBINARY, BLOB -> target(at).setBytes(at, bytesOf(parameter, value));
        }
    }

    /// The type of a parameter with the current labels of its enumeration.
    private Type current(int at) throws SQLException {
        if (prepared == null || connection == null) {
            return types[at];
        }
        connection.enter();
        try {
            return prepared.currentParameter(at);
        } catch (RuntimeException e) {
            throw SqlStates.exception(e);
        } finally {
            connection.exit();
        }
    }

    private byte[] literalOf(int parameter, String text, Type type) throws SQLException {
        try {
            return ArrayLiteral.parse(text, type, session());
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            throw SqlStates.exception(
                    SqlStates.INVALID_TEXT,
                    "Parameter " + parameter + ": '" + text + "' is not a value of type " + type,
                    e);
        }
    }

    void setInterval(int parameter, IntervalValue value) throws SQLException {
        int at = at(parameter);
        Type type = stored(at, ValueType.INTERVAL);
        if (type.name() == Type.Name.INTERVAL) {
            target(at).setBytes(at, value.toBytes());
        } else if (type.shape().isText()) {
            target(at).setText(at, value.toString());
        } else {
            throw mismatch(parameter, "an interval");
        }
    }

    /// The elements of an array, each converted as a parameter of its type is.
    ///
    /// @param own type of the array
    void setArray(int parameter, @Nullable Object[] elements, Type own) throws SQLException {
        int at = at(parameter);
        Type element = stored(at, own).element();
        if (element == null) {
            throw mismatch(parameter, "an array");
        }
        target(at).setBytes(at, ArrayParameter.bytes(connection, element, elements));
    }

    /// The attributes of `struct`, each converted as a parameter of its type is.
    private void setStruct(int parameter, Struct struct) throws SQLException {
        int at = at(parameter);
        Type type = struct instanceof JdbcStruct own ? stored(at, own.type()) : types[at];
        if (type.shape().isText() && struct instanceof JdbcStruct) {
            target(at).setText(at, struct.toString());
        } else if (type.name() == Type.Name.COMPOSITE) {
            @Nullable Object[] attributes =
                    struct instanceof JdbcStruct own ? own.exact() : struct.getAttributes();
            target(at).setBytes(at, JdbcStruct.bytes(connection, type, attributes));
        } else {
            throw mismatch(parameter, "a composite value");
        }
    }

    private static byte[] jsonOf(int parameter, String text) throws SQLException {
        try {
            return Json.parse(text);
        } catch (JsonException e) {
            throw SqlStates.exception(
                    SqlStates.INVALID_TEXT, "Parameter " + parameter + ": " + e.getMessage(), e);
        }
    }

    /// Hexadecimal digits after `\x`, else the UTF-8 bytes of the text.
    private static byte[] bytesOf(int parameter, String text) throws SQLException {
        if (!text.startsWith("\\x")) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return HexFormat.of().parseHex(text, 2, text.length());
        } catch (IllegalArgumentException e) {
            throw SqlStates.exception(
                    SqlStates.INVALID_TEXT,
                    "Parameter " + parameter + " is not hexadecimal text after \\x",
                    e);
        }
    }

    void setBytes(int parameter, byte[] value) throws SQLException {
        int at = at(parameter);
        store(at, value, stored(at, ValueType.BYTES));
    }

    private void store(int at, byte[] value, Type type) throws SQLException {
        switch (type.shape()) {
            case BYTES -> {
                if (type.name() == Type.Name.JSON
                        || type.name() == Type.Name.INTERVAL
                        || type.name() == Type.Name.COMPOSITE
                        || type.element() != null) {
                    setText(at + first, decoded(at + first, value));
                    return;
                }
                if (type.name() == Type.Name.UUID && value.length != 16) {
                    throw mismatch(at + first, value.length + " bytes instead of 16");
                }
                target(at).setBytes(at, value);
            }
            case TEXT, FOLDED -> target(at).setText(at, decoded(at + first, value));
            case LONG, DOUBLE, DECIMAL -> throw mismatch(at + first, "bytes");
        }
    }

    /// Bytes as text. If they are no UTF-8 they are refused, since text would lose them.
    private static String decoded(int parameter, byte[] value) throws SQLException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
        } catch (CharacterCodingException e) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ENCODING,
                    "Parameter "
                            + parameter
                            + " takes text, and these bytes are no UTF-8; use a column of bytes, or"
                            + " encode them",
                    e);
        }
    }

    void setUuid(int parameter, UUID value) throws SQLException {
        int at = at(parameter);
        Type type = stored(at, ValueType.UUID_TYPE);
        if (type.shape().isText()) {
            target(at).setText(at, value.toString());
        } else {
            store(at, Values.bytes(value), type);
        }
    }

    void setDate(int parameter, LocalDate value) throws SQLException {
        int at = at(parameter);
        switch (stored(at, ValueType.DATE).name()) {
            case DATE -> target(at).setLong(at, DateTimes.days(value));
            case TIMESTAMP ->
                    setTimestamp(
                            parameter,
                            value.equals(LocalDate.MAX) ? LocalDateTime.MAX : value.atStartOfDay());
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB ->
                    target(at).setText(at, DateTimes.dateText(DateTimes.days(value)));
            default -> throw mismatch(parameter, "a date");
        }
    }

    void setTime(int parameter, LocalTime value) throws SQLException {
        int at = at(parameter);
        switch (stored(at, ValueType.TIME).name()) {
            case TIME -> target(at).setLong(at, StoredValues.micros(value));
            case TIME_TZ -> {
                String text = DateTimes.timeText(StoredValues.micros(value));
                setTimeWithZone(parameter, DateTimes.parseTimeWithZone(text, session()));
            }
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB ->
                    target(at).setText(at, DateTimes.timeText(StoredValues.micros(value)));
            default -> throw mismatch(parameter, "a time");
        }
    }

    void setTimeWithZone(int parameter, OffsetTime value) throws SQLException {
        int at = at(parameter);
        long time = StoredValues.zonedTime(value);
        switch (stored(at, ValueType.TIME_TZ).name()) {
            case TIME_TZ -> target(at).setLong(at, time);
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB ->
                    target(at).setText(at, DateTimes.timeWithZoneText(time));
            default -> throw mismatch(parameter, "a time with zone");
        }
    }

    void setTimestamp(int parameter, LocalDateTime value) throws SQLException {
        int at = at(parameter);
        switch (stored(at, ValueType.TIMESTAMP).name()) {
            case TIMESTAMP -> target(at).setLong(at, DateTimes.micros(value));
            case DATE -> target(at).setLong(at, wholeDay(parameter, value));
            case TIME -> setTime(parameter, value.toLocalTime());
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB ->
                    target(at).setText(at, DateTimes.timestampText(DateTimes.micros(value)));
            default -> throw mismatch(parameter, "a timestamp without zone");
        }
    }

    /// Dropping a time of day would change the result of a comparison.
    private static long wholeDay(int parameter, LocalDateTime value) throws SQLException {
        if (value.equals(LocalDateTime.MAX)) {
            return NonFinite.LAST_DAY;
        }
        if (!value.toLocalTime().equals(LocalTime.MIDNIGHT)) {
            throw SqlStates.exception(
                    SqlStates.DATETIME_RANGE,
                    "Parameter "
                            + parameter
                            + " is DATE and cannot take "
                            + value
                            + ", which has a time of day; give it a LocalDate, or compare with CAST"
                            + " (? AS TIMESTAMP)");
        }
        return DateTimes.days(value.toLocalDate());
    }

    void setTimestampWithZone(int parameter, OffsetDateTime value) throws SQLException {
        int at = at(parameter);
        long micros = DateTimes.micros(value);
        switch (stored(at, ValueType.TIMESTAMP_TZ).name()) {
            case TIMESTAMP_TZ -> target(at).setLong(at, micros);
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB ->
                    target(at).setText(at, DateTimes.timestampWithZoneText(micros));
            default -> throw mismatch(parameter, "a timestamp with zone");
        }
    }

    SQLException mismatch(int parameter, String given) throws SQLException {
        return SqlStates.exception(
                SqlStates.WRONG_TYPE,
                "Parameter " + parameter + " is " + type(parameter) + " and cannot take " + given);
    }

    /// Any object of a class that JDBC names.
    void setObject(int parameter, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> setNull(parameter);
            case String text -> setText(parameter, text);
            case Integer number -> setLong(parameter, number, ValueType.INTEGER);
            case Long number -> setLong(parameter, number);
            case Short number -> setLong(parameter, number, ValueType.SMALLINT);
            case Byte number -> setLong(parameter, number, ValueType.SMALLINT);
            case Boolean truth -> setBoolean(parameter, truth);
            case Double number -> setDouble(parameter, number);
            case Float number -> setFloat(parameter, number);
            case BigDecimal number -> setDecimal(parameter, number);
            case BigInteger number -> setDecimal(parameter, new BigDecimal(number));
            case byte[] bytes -> setBytes(parameter, bytes);
            case UUID uuid -> setUuid(parameter, uuid);
            case Character character -> setText(parameter, character.toString());
            case Struct struct -> setStruct(parameter, struct);
            case JdbcArray array -> setArray(parameter, array.exact(), Type.array(array.element()));
            case Array array -> {
                if (array.getArray() instanceof Object[] elements) {
                    setArray(parameter, elements, ValueType.ofElements(elements));
                } else {
                    throw mismatch(parameter, "an array of primitives");
                }
            }
            default -> {
                @Nullable Object[] elements = ArrayParameter.elements(value);
                if (elements == null) {
                    JavaTime.set(this, parameter, value);
                } else {
                    setArray(parameter, elements, ValueType.ofElements(elements));
                }
            }
        }
    }
}
