package dev.oriel.cli.migration;

import java.sql.Types;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The target type of a column of another product.
///
/// @param kind how its values are read and written
/// @param text the type as SQL
/// @param note remark for the user; null if the type is the same
/// @param source its name in the other product, if that determines the meaning of values; else empty
/// @param named the enumeration or domain with the base type `text`; null if it is none
record ColumnType(
        Kind kind, String text, @Nullable String note, String source, @Nullable String named) {
    static final String XML = "xml";

    private static final int DECIMAL_DIGITS_MAX = 100_000;
    private static final int LENGTH_MAX = 1_000_000;
    private static final int MICROS = 6;

    /// The way of transferring values.
    enum Kind {
        INTEGER,
        DECIMAL,
        REAL,
        DOUBLE,
        BOOLEAN,
        TEXT,
        BYTES,
        DATE,
        TIME,
        TIMESTAMP,
        MOMENT,
        UUID,
        /// Text that the database parses: JSON, INTERVAL, TIME WITH TIME ZONE.
        LITERAL,
        ARRAY
    }

    /// Names of PostgreSQL's types that the metadata gives as OTHER or as something else.
    private static final Map<String, ColumnType> BY_NAME =
            Map.ofEntries(
                    Map.entry("uuid", same(Kind.UUID, "UUID")),
                    Map.entry("json", same(Kind.LITERAL, "JSON")),
                    Map.entry("jsonb", same(Kind.LITERAL, "JSON")),
                    Map.entry("timestamptz", same(Kind.MOMENT, "TIMESTAMP WITH TIME ZONE")),
                    Map.entry("timetz", same(Kind.LITERAL, "TIME WITH TIME ZONE")),
                    Map.entry("text", same(Kind.TEXT, "TEXT")),
                    Map.entry("citext", same(Kind.TEXT, "VARCHAR_IGNORECASE")),
                    Map.entry(
                            XML,
                            new ColumnType(Kind.TEXT, "TEXT", "XML is kept as text", XML, null)),
                    Map.entry("bytea", same(Kind.BYTES, "BLOB")),
                    Map.entry(
                            "money",
                            noted(Kind.TEXT, "TEXT", "an amount of money is kept as text")),
                    Map.entry("decfloat", same(Kind.DECIMAL, "DECIMAL")),
                    Map.entry("blob", same(Kind.BYTES, "BLOB")),
                    Map.entry("oid", same(Kind.INTEGER, "BIGINT")));

    private static final Map<String, String> ELEMENTS =
            Map.ofEntries(
                    Map.entry("_int2", "SMALLINT"),
                    Map.entry("_int4", "INTEGER"),
                    Map.entry("_int8", "BIGINT"),
                    Map.entry("_float4", "REAL"),
                    Map.entry("_float8", "DOUBLE PRECISION"),
                    Map.entry("_numeric", "DECIMAL"),
                    Map.entry("_bool", "BOOLEAN"),
                    Map.entry("_text", "TEXT"),
                    Map.entry("_varchar", "VARCHAR"),
                    Map.entry("_uuid", "UUID"),
                    Map.entry("_date", "DATE"),
                    Map.entry("_timestamp", "TIMESTAMP"));

    static ColumnType same(Kind kind, String text) {
        return new ColumnType(kind, text, null, "", null);
    }

    static ColumnType noted(Kind kind, String text, String note) {
        return new ColumnType(kind, text, note, "", null);
    }

    /// Returns this type as the enumeration or domain `name`.
    ColumnType named(@Nullable String name) {
        return new ColumnType(kind, text, note, source, name);
    }

    /// Returns the type as written in a column definition.
    String declared() {
        return named == null ? text : Definitions.quoted(named);
    }

    /// Returns the type for a column with this JDBC description.
    ///
    /// @param jdbc one of [Types]
    /// @param size the length, or the digits of a number
    static ColumnType of(int jdbc, String typeName, int size, int scale) {
        String name = typeName.toLowerCase(Locale.ROOT);
        ColumnType known = BY_NAME.get(name);
        if (known != null) {
            return known;
        }
        if (ELEMENTS.containsKey(name)) {
            return same(Kind.ARRAY, ELEMENTS.get(name) + "[]");
        }
        if (name.endsWith(" array")) {
            return arrayOf(typeName.substring(0, typeName.length() - " array".length()));
        }
        if (name.startsWith("interval")) {
            return new ColumnType(Kind.LITERAL, "INTERVAL", null, typeName, null);
        }
        return switch (jdbc) {
            case Types.BOOLEAN, Types.BIT -> bit(name, size);
            case Types.TINYINT -> same(Kind.INTEGER, "TINYINT");
            case Types.SMALLINT -> same(Kind.INTEGER, "SMALLINT");
            case Types.INTEGER -> same(Kind.INTEGER, "INTEGER");
            case Types.BIGINT -> same(Kind.INTEGER, "BIGINT");
            case Types.REAL -> same(Kind.REAL, "REAL");
            case Types.FLOAT, Types.DOUBLE -> same(Kind.DOUBLE, "DOUBLE PRECISION");
            case Types.DECIMAL, Types.NUMERIC -> decimal(size, scale);
            case Types.CHAR, Types.NCHAR -> text("CHAR", size);
            case Types.VARCHAR, Types.NVARCHAR -> varchar(name, size);
            case Types.LONGVARCHAR, Types.LONGNVARCHAR, Types.CLOB, Types.NCLOB ->
                    same(Kind.TEXT, "TEXT");
            case Types.BINARY -> bytes("BINARY", size);
            case Types.VARBINARY -> bytes("VARBINARY", size);
            case Types.LONGVARBINARY, Types.BLOB -> same(Kind.BYTES, "BLOB");
            case Types.DATE -> same(Kind.DATE, "DATE");
            case Types.TIME -> moment(Kind.TIME, "TIME", scale);
            case Types.TIMESTAMP -> moment(Kind.TIMESTAMP, "TIMESTAMP", scale);
            case Types.TIMESTAMP_WITH_TIMEZONE ->
                    moment(Kind.MOMENT, "TIMESTAMP WITH TIME ZONE", scale);
            case Types.TIME_WITH_TIMEZONE -> moment(Kind.LITERAL, "TIME WITH TIME ZONE", scale);
            default -> noted(Kind.TEXT, "TEXT", "the type " + typeName + " is kept as text");
        };
    }

    /// Returns the array type for the product's name of the element type.
    static ColumnType arrayOf(String element) {
        return same(Kind.ARRAY, element.replaceFirst("(?i)^CHARACTER VARYING", "VARCHAR") + "[]");
    }

    private static ColumnType bit(String name, int size) {
        return name.startsWith("varbit")
                        || name.startsWith("bit varying")
                        || (name.startsWith("bit") && size > 1)
                ? noted(Kind.TEXT, "TEXT", "a string of bits is kept as text")
                : same(Kind.BOOLEAN, "BOOLEAN");
    }

    private static ColumnType decimal(int digits, int scale) {
        return digits <= 0 || digits > DECIMAL_DIGITS_MAX || scale < 0 || scale > digits
                ? same(Kind.DECIMAL, "DECIMAL")
                : same(Kind.DECIMAL, "DECIMAL(" + digits + ", " + scale + ")");
    }

    private static ColumnType varchar(String name, int size) {
        if (name.equals("varchar_ignorecase")) {
            boolean limited = size > 0 && size < LENGTH_MAX;
            return same(Kind.TEXT, "VARCHAR_IGNORECASE" + (limited ? "(" + size + ")" : ""));
        }
        return text("VARCHAR", size);
    }

    private static ColumnType text(String word, int size) {
        return size <= 0 || size >= LENGTH_MAX
                ? same(Kind.TEXT, "TEXT")
                : same(Kind.TEXT, word + "(" + size + ")");
    }

    private static ColumnType bytes(String word, int size) {
        return size <= 0 || size >= LENGTH_MAX
                ? same(Kind.BYTES, "BLOB")
                : same(Kind.BYTES, word + "(" + size + ")");
    }

    private static ColumnType moment(Kind kind, String text, int digits) {
        return digits > MICROS
                ? noted(kind, text, "fractions of a second are rounded to microseconds")
                : same(kind, text);
    }
}
