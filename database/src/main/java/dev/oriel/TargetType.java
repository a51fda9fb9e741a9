package dev.oriel;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Time;
import java.sql.Types;
import java.time.OffsetTime;
import org.jspecify.annotations.Nullable;

/// The type that a caller of `setObject` names beside a value, a code of [Types]. The value is converted to it by the
/// rules for a parameter of that type.
final class TargetType {
    private TargetType() {}

    static int codeOf(SQLType type) throws SQLException {
        return SqlStates.given(SqlStates.given(type, "type").getVendorTypeNumber(), "type's code");
    }

    /// Refuses a type of which there are no values.
    static void check(int code) throws SQLException {
        var _ = named(code);
    }

    /// `value` as one of type `code`, with `scale` digits after the point if that is a DECIMAL or NUMERIC.
    static @Nullable Object convert(
            JdbcConnection connection, int parameter, @Nullable Object value, int code, int scale)
            throws SQLException {
        Object converted = convert(connection, parameter, value, code);
        if (code != Types.DECIMAL && code != Types.NUMERIC) {
            return converted;
        }
        return converted instanceof BigDecimal number
                ? Values.scaled(Values.checked(number, "parameter " + parameter), scale)
                : converted;
    }

    /// `value` as one of type `code`.
    ///
    /// @param connection in whose time zone texts are read
    /// @param parameter its number, for errors
    static @Nullable Object convert(
            JdbcConnection connection, int parameter, @Nullable Object value, int code)
            throws SQLException {
        Type.Name name = named(code);
        if (name == null || value == null || isKept(name, value)) {
            return value;
        }
        Type type = Type.of(name);
        Tuple one = new Tuple(1);
        new Parameters(connection, new Type[] {type}, one, parameter).setObject(parameter, value);
        return JavaValues.exact(one, 0, type);
    }

    static boolean isText(int code) {
        return known(code) == Type.Name.CLOB;
    }

    /// The type of a NULL that a caller gives the type `code`; null if it is text, or any.
    static @Nullable Type ofNull(int code) {
        Type.Name name = known(code);
        return name == null || name == Type.Name.CLOB ? null : Type.of(name);
    }

    /// Whether `value` is of the type already, or a long value. Instants and local times stay as they are: which is
    /// meant depends on the parameter.
    private static boolean isKept(Type.Name name, Object value) {
        return switch (value) {
            case Blob _ -> true;
            case Clob _ -> true;
            case InputStream _ -> true;
            case Reader _ -> true;
            case String _ -> name == Type.Name.CLOB;
            case Integer _ -> name == Type.Name.INTEGER;
            case Long _ -> name == Type.Name.BIGINT;
            case BigDecimal _ -> name == Type.Name.DECIMAL;
            case Double _ -> name == Type.Name.DOUBLE;
            case byte[] _ -> name == Type.Name.BLOB;
            case java.sql.Date _ -> name == Type.Name.DATE || isMoment(name);
            case Time _ -> name == Type.Name.TIME || name == Type.Name.TIME_TZ || isMoment(name);
            case OffsetTime _ -> name == Type.Name.TIME_TZ;
            case java.util.Date _ -> isMoment(name);
            case java.util.Calendar _ -> isMoment(name);
            case java.time.temporal.Temporal _ -> isMoment(name);
            default -> false;
        };
    }

    private static boolean isMoment(Type.Name name) {
        return name == Type.Name.TIMESTAMP || name == Type.Name.TIMESTAMP_TZ;
    }

    /// The type to convert to; null if any value is taken as it is.
    private static Type.@Nullable Name named(int code) throws SQLException {
        Type.Name name = known(code);
        boolean any =
                code == Types.ARRAY
                        || code == Types.OTHER
                        || code == Types.JAVA_OBJECT
                        || code == Types.NULL;
        if (name == null && !any) {
            throw SqlStates.unsupported(
                    "There are no values of the JDBC type "
                            + code
                            + "; leave the type out, or use another");
        }
        return name;
    }

    private static Type.@Nullable Name known(int code) {
        return switch (code) {
            case Types.BIT, Types.BOOLEAN -> Type.Name.BOOLEAN;
            case Types.TINYINT -> Type.Name.TINYINT;
            case Types.SMALLINT -> Type.Name.SMALLINT;
            case Types.INTEGER -> Type.Name.INTEGER;
            case Types.BIGINT -> Type.Name.BIGINT;
            case Types.REAL -> Type.Name.REAL;
            case Types.FLOAT, Types.DOUBLE -> Type.Name.DOUBLE;
            case Types.DECIMAL, Types.NUMERIC -> Type.Name.DECIMAL;
            case Types.CHAR,
                    Types.VARCHAR,
                    Types.LONGVARCHAR,
                    Types.NCHAR,
                    Types.NVARCHAR,
                    Types.LONGNVARCHAR,
                    Types.CLOB,
                    Types.NCLOB ->
                    Type.Name.CLOB;
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> Type.Name.BLOB;
            case Types.DATE -> Type.Name.DATE;
            case Types.TIME -> Type.Name.TIME;
            case Types.TIME_WITH_TIMEZONE -> Type.Name.TIME_TZ;
            case Types.TIMESTAMP -> Type.Name.TIMESTAMP;
            case Types.TIMESTAMP_WITH_TIMEZONE -> Type.Name.TIMESTAMP_TZ;
            default -> null;
        };
    }
}
