package dev.oriel.sql.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Scalar functions with the names they are called by.
public enum Function {
    LOWER(1, 1, "LOWER", "LCASE"),
    UPPER(1, 1, "UPPER", "UCASE"),
    /// The text that texts without case are compared by; written in double quotes.
    FOLD_CASE(1, 1, "? FOLD CASE"),
    LENGTH(1, 1, "LENGTH", "CHAR_LENGTH", "CHARACTER_LENGTH", "LEN"),
    OCTET_LENGTH(1, 1, "OCTET_LENGTH"),
    SUBSTRING(2, 3, "SUBSTRING", "SUBSTR"),
    TRIM(1, 2, "TRIM", "BTRIM"),
    LTRIM(1, 2, "LTRIM"),
    RTRIM(1, 2, "RTRIM"),
    REPLACE(3, 3, "REPLACE"),
    CONCAT(0, Integer.MAX_VALUE, "CONCAT"),
    LEFT(2, 2, "LEFT"),
    RIGHT(2, 2, "RIGHT"),
    ABS(1, 1, "ABS"),
    SIGN(1, 1, "SIGN"),
    ROUND(1, 2, "ROUND"),
    FLOOR(1, 1, "FLOOR"),
    CEIL(1, 1, "CEIL", "CEILING"),
    MOD(2, 2, "MOD"),
    COALESCE(1, Integer.MAX_VALUE, "COALESCE", "NVL", "IFNULL"),
    NULLIF(2, 2, "NULLIF"),
    CURRENT_DATE(0, 0, "CURRENT_DATE"),
    CURRENT_TIME(0, 0, "CURRENT_TIME"),
    CURRENT_TIMESTAMP(
            0, 0, "CURRENT_TIMESTAMP", "NOW", "STATEMENT_TIMESTAMP", "TRANSACTION_TIMESTAMP"),
    LOCALTIMESTAMP(0, 0, "LOCALTIMESTAMP", "SYSDATE"),

    ASCII(1, 1, "ASCII"),
    CHR(1, 1, "CHR"),
    INITCAP(1, 1, "INITCAP"),
    LPAD(2, 3, "LPAD"),
    RPAD(2, 3, "RPAD"),
    REPEAT(2, 2, "REPEAT"),
    REVERSE(1, 1, "REVERSE"),
    SPACE(1, 1, "SPACE"),
    SPLIT_PART(3, 3, "SPLIT_PART"),
    POSITION(2, 2, "POSITION"),
    STRPOS(2, 2, "STRPOS", "INSTR"),
    STARTS_WITH(2, 2, "STARTS_WITH"),
    CONTAINS(2, 2, "CONTAINS"),
    TRANSLATE(3, 3, "TRANSLATE"),
    CONCAT_WS(1, Integer.MAX_VALUE, "CONCAT_WS"),
    OVERLAY(3, 4, "OVERLAY"),
    HEX(1, 1, "HEX", "TO_HEX"),
    MD5(1, 1, "MD5"),
    BASE64ENCODE(1, 1, "BASE64ENCODE"),
    BASE64DECODE(1, 1, "BASE64DECODE"),
    SOUNDEX(1, 1, "SOUNDEX"),
    SOUNDSLIKE(2, 2, "SOUNDSLIKE"),
    DIFFERENCE(2, 2, "DIFFERENCE"),
    REGEXP_LIKE(2, 3, "REGEXP_LIKE", "MATCHES"),
    REGEXP_REPLACE(3, 6, "REGEXP_REPLACE"),
    REGEXP_SUBSTR(2, 6, "REGEXP_SUBSTR"),
    REGEXP_COUNT(2, 4, "REGEXP_COUNT"),
    REGEXP_INSTR(2, 7, "REGEXP_INSTR"),
    QUOTE_LITERAL(1, 1, "QUOTE_LITERAL"),
    QUOTE_NULLABLE(1, 1, "QUOTE_NULLABLE"),
    QUOTE_IDENT(1, 1, "QUOTE_IDENT"),
    FORMAT(1, Integer.MAX_VALUE, "FORMAT"),
    ENCODE(2, 2, "ENCODE"),
    DECODE(2, 2, "DECODE"),
    SHA224(1, 1, "SHA224"),
    SHA256(1, 1, "SHA256"),
    SHA384(1, 1, "SHA384"),
    SHA512(1, 1, "SHA512"),
    HASH(2, 3, "HASH"),
    CONVERT_TO(2, 2, "CONVERT_TO"),
    CONVERT_FROM(2, 2, "CONVERT_FROM"),
    LIKE2REGEXP(1, 1, "LIKE2REGEXP"),
    SIMILAR_TO_ESCAPE(1, 2, "SIMILAR_TO_ESCAPE"),
    BIT_LENGTH(1, 1, "BIT_LENGTH"),
    UNISTR(1, 1, "UNISTR"),
    NORMALIZE(1, 2, "NORMALIZE"),
    GET_BIT(2, 2, "GET_BIT"),
    SET_BIT(3, 3, "SET_BIT"),
    GET_BYTE(2, 2, "GET_BYTE"),
    SET_BYTE(3, 3, "SET_BYTE"),
    BIT_COUNT(1, 1, "BIT_COUNT"),
    FLOAT4SEND(1, 1, "FLOAT4SEND"),
    FLOAT8SEND(1, 1, "FLOAT8SEND"),
    POWER(2, 2, "POWER", "POW"),
    SQRT(1, 1, "SQRT"),
    CBRT(1, 1, "CBRT"),
    EXP(1, 1, "EXP"),
    LN(1, 1, "LN"),
    LOG10(1, 1, "LOG10"),
    LOG(1, 2, "LOG"),
    PI(0, 0, "PI"),
    SIN(1, 1, "SIN"),
    COS(1, 1, "COS"),
    TAN(1, 1, "TAN"),
    COT(1, 1, "COT"),
    ASIN(1, 1, "ASIN"),
    ACOS(1, 1, "ACOS"),
    ATAN(1, 1, "ATAN"),
    ATAN2(2, 2, "ATAN2"),
    DEGREES(1, 1, "DEGREES"),
    RADIANS(1, 1, "RADIANS"),
    SINH(1, 1, "SINH"),
    COSH(1, 1, "COSH"),
    TANH(1, 1, "TANH"),
    ASINH(1, 1, "ASINH"),
    ACOSH(1, 1, "ACOSH"),
    ATANH(1, 1, "ATANH"),
    SIND(1, 1, "SIND"),
    COSD(1, 1, "COSD"),
    TAND(1, 1, "TAND"),
    COTD(1, 1, "COTD"),
    ASIND(1, 1, "ASIND"),
    ACOSD(1, 1, "ACOSD"),
    ATAND(1, 1, "ATAND"),
    ATAN2D(2, 2, "ATAN2D"),
    SCALE(1, 1, "SCALE"),
    MIN_SCALE(1, 1, "MIN_SCALE"),
    TRIM_SCALE(1, 1, "TRIM_SCALE"),
    FACTORIAL(1, 1, "FACTORIAL"),
    TRUNC(1, 2, "TRUNC", "TRUNCATE"),
    RANDOM(0, 0, "RANDOM"),
    GEN_RANDOM_UUID(0, 0, "GEN_RANDOM_UUID", "RANDOM_UUID"),
    CLOCK_TIMESTAMP(0, 0, "CLOCK_TIMESTAMP"),
    DIV(2, 2, "DIV"),
    GCD(2, 2, "GCD"),
    LCM(2, 2, "LCM"),
    BITAND(2, 2, "BITAND"),
    BITOR(2, 2, "BITOR"),
    BITXOR(2, 2, "BITXOR"),
    BITNOT(1, 1, "BITNOT"),
    LSHIFT(2, 2, "? <<"),
    RSHIFT(2, 2, "? >>"),
    SHIFT_LEFT(2, 2, "LSHIFT"),
    SHIFT_RIGHT(2, 2, "RSHIFT"),
    UNSIGNED_LEFT(2, 2, "ULSHIFT"),
    UNSIGNED_RIGHT(2, 2, "URSHIFT"),
    ROTATELEFT(2, 2, "ROTATELEFT"),
    ROTATERIGHT(2, 2, "ROTATERIGHT"),
    BITGET(2, 2, "BITGET"),
    BITCOUNT(1, 1, "BITCOUNT"),
    WIDTH_BUCKET(2, 4, "WIDTH_BUCKET"),
    TO_NUMBER(2, 2, "TO_NUMBER"),
    IS_OF(2, Integer.MAX_VALUE, "? IS OF"),
    /// A conversion that only CAST makes, of another database; has no name of its own.
    OTHER_CAST(1, 1, "? CAST"),
    PG_TYPEOF(1, 1, "PG_TYPEOF"),
    GREATEST(1, Integer.MAX_VALUE, "GREATEST"),
    LEAST(1, Integer.MAX_VALUE, "LEAST"),
    IF(3, 3, "IF", "IFTHEN"),
    NVL2(3, 3, "NVL2"),
    EXTRACT(2, 2, "EXTRACT", "DATE_PART", "DATEPART"),
    DATE_TRUNC(2, 3, "DATE_TRUNC"),
    DATEADD(3, 3, "DATEADD"),
    DATEDIFF(3, 3, "DATEDIFF"),
    MAKE_DATE(3, 3, "MAKE_DATE"),
    MAKE_TIME(3, 3, "MAKE_TIME"),
    MAKE_TIMESTAMP(6, 6, "MAKE_TIMESTAMP"),
    MAKE_TIMESTAMPTZ(6, 7, "MAKE_TIMESTAMPTZ"),
    MAKE_INTERVAL(0, 7, "MAKE_INTERVAL"),
    JUSTIFY_DAYS(1, 1, "JUSTIFY_DAYS"),
    JUSTIFY_HOURS(1, 1, "JUSTIFY_HOURS"),
    JUSTIFY_INTERVAL(1, 1, "JUSTIFY_INTERVAL"),
    ISFINITE(1, 1, "ISFINITE"),
    ADD_MONTHS(2, 2, "ADD_MONTHS"),
    AGE(1, 2, "AGE"),
    OVERLAPS(4, 4, "OVERLAPS"),
    DATE_BIN(3, 3, "DATE_BIN"),
    TIMEZONE(2, 2, "TIMEZONE"),
    LAST_DAY(1, 1, "LAST_DAY"),
    TO_CHAR(2, 2, "TO_CHAR", "DATETOCHAR"),
    TO_DATE(2, 2, "TO_DATE"),
    TO_TIMESTAMP(1, 2, "TO_TIMESTAMP", "CHARTODATE"),
    ISVALIDDATETIME(2, 2, "ISVALIDDATETIME"),
    FORMATDATETIME(2, 4, "FORMATDATETIME"),
    PARSEDATETIME(2, 4, "PARSEDATETIME"),

    JSON_OBJECT(0, Integer.MAX_VALUE, "JSON_OBJECT", "JSON_BUILD_OBJECT", "JSONB_BUILD_OBJECT"),
    JSON_OBJECT_ABSENT(0, Integer.MAX_VALUE, "JSON_OBJECT ABSENT"),
    JSON_OBJECT_UNIQUE(0, Integer.MAX_VALUE, "JSON_OBJECT UNIQUE"),
    JSON_OBJECT_ABSENT_UNIQUE(0, Integer.MAX_VALUE, "JSON_OBJECT ABSENT UNIQUE"),
    JSON_ARRAY(0, Integer.MAX_VALUE, "JSON_ARRAY"),
    JSON_ARRAY_NULLS(
            0, Integer.MAX_VALUE, "JSON_ARRAY NULLS", "JSON_BUILD_ARRAY", "JSONB_BUILD_ARRAY"),
    JSON(1, 1, "JSON"),
    TO_JSON(1, 1, "TO_JSON", "TO_JSONB", "JSON_SCALAR"),
    ROW_TO_JSON(1, 2, "ROW_TO_JSON"),
    JSON_SERIALIZE(1, 1, "JSON_SERIALIZE"),
    JSON_TYPEOF(1, 1, "JSON_TYPEOF", "JSONB_TYPEOF"),
    JSON_ARRAY_LENGTH(1, 1, "JSON_ARRAY_LENGTH", "JSONB_ARRAY_LENGTH"),
    JSON_PRETTY(1, 1, "JSONB_PRETTY", "JSON_PRETTY"),
    JSON_STRIP_NULLS(1, 1, "JSON_STRIP_NULLS", "JSONB_STRIP_NULLS"),
    JSON_SET(3, 4, "JSONB_SET", "JSON_SET"),
    JSON_INSERT(3, 4, "JSONB_INSERT", "JSON_INSERT"),
    JSON_SET_LAX(3, 5, "JSONB_SET_LAX"),
    JSON_DELETE(2, 2, "JSONB_DELETE"),
    JSON_HAS(2, 2, "JSONB_EXISTS"),
    JSON_HAS_ANY(2, 2, "JSONB_EXISTS_ANY"),
    JSON_HAS_ALL(2, 2, "JSONB_EXISTS_ALL"),
    JSON_OF_PAIRS(1, 2, "JSONB_OBJECT"),
    ARRAY_TO_JSON(1, 2, "ARRAY_TO_JSON"),
    JSON_WITHOUT(2, 2, "- JSON"),
    JSON_WITHOUT_PATH(2, 2, "#-", "JSONB_DELETE_PATH"),
    JSON_CONTAINS(2, 2, "@>", "JSONB_CONTAINS"),
    JSON_CONTAINED(2, 2, "<@", "JSONB_CONTAINED"),
    JSON_CONCAT(2, 2, "JSONB_CONCAT"),
    JSON_GET(2, 2, "->"),
    JSON_GET_TEXT(2, 2, "->>"),
    JSON_GET_PATH(2, 2, "#>"),
    JSON_GET_PATH_TEXT(2, 2, "#>>"),
    JSON_EXTRACT_PATH(1, Integer.MAX_VALUE, "JSON_EXTRACT_PATH", "JSONB_EXTRACT_PATH"),
    JSON_EXTRACT_PATH_TEXT(
            1, Integer.MAX_VALUE, "JSON_EXTRACT_PATH_TEXT", "JSONB_EXTRACT_PATH_TEXT"),
    JSON_PATH_EXISTS(2, 4, "JSONB_PATH_EXISTS", "JSON_PATH_EXISTS"),
    JSON_PATH_MATCH(2, 4, "JSONB_PATH_MATCH", "JSON_PATH_MATCH"),
    JSON_PATH_QUERY_ARRAY(2, 4, "JSONB_PATH_QUERY_ARRAY", "JSON_PATH_QUERY_ARRAY"),
    JSON_PATH(1, 1, "JSONPATH"),
    JSON_PATH_QUERY_FIRST(2, 4, "JSONB_PATH_QUERY_FIRST", "JSON_PATH_QUERY_FIRST"),
    JSON_RECORD(1, 1, "? RECORD"),
    JSON_RECORD_TEXT(2, 2, "? RECORD TEXT"),
    IS_JSON(2, 2, "? IS JSON"),
    IS_JSON_UNIQUE(2, 2, "? IS JSON UNIQUE"),
    JSON_VALUE(2, 2, "? JSON_VALUE"),
    JSON_QUERY(2, 2, "? JSON_QUERY"),
    JSON_EXISTS(2, 2, "? JSON_EXISTS"),

    ARRAY(0, Integer.MAX_VALUE, "? ARRAY"),
    ARRAY_OR_EMPTY(1, 1, "ARRAY QUERY"),
    ARRAY_ELEMENT(2, 2, "? []"),
    ARRAY_SLICE(3, 3, "? [:]"),
    ASSIGNED(3, Integer.MAX_VALUE, "? []="),
    ASSIGNED_SLICE(4, 4, "? [:]="),
    ANY_OF_ARRAY(3, 3, "? ANY"),
    ALL_OF_ARRAY(3, 3, "? ALL"),
    ARRAY_CONTAINS(2, 2, "? ARRAY @>"),
    ARRAY_LENGTH(2, 2, "ARRAY_LENGTH"),
    ARRAY_UPPER(2, 2, "ARRAY_UPPER"),
    ARRAY_LOWER(2, 2, "ARRAY_LOWER"),
    CARDINALITY(1, 1, "CARDINALITY"),
    ARRAY_APPEND(2, 2, "ARRAY_APPEND"),
    ARRAY_PREPEND(2, 2, "ARRAY_PREPEND"),
    ARRAY_CAT(2, 2, "ARRAY_CAT"),
    ARRAY_POSITION(2, 3, "ARRAY_POSITION"),
    ARRAY_POSITIONS(2, 2, "ARRAY_POSITIONS"),
    ARRAY_REMOVE(2, 2, "ARRAY_REMOVE"),
    ARRAY_REPLACE(3, 3, "ARRAY_REPLACE"),
    ARRAY_FILL(2, 3, "ARRAY_FILL"),
    ARRAY_NDIMS(1, 1, "ARRAY_NDIMS"),
    ARRAY_DIMS(1, 1, "ARRAY_DIMS"),
    TRIM_ARRAY(2, 2, "TRIM_ARRAY"),
    ARRAY_OVERLAP(2, 2, "&&"),
    PARSE_IDENT(1, 2, "PARSE_IDENT"),
    REGEXP_MATCHES(2, 3, "? REGEXP_MATCHES"),
    REGEXP_MATCH(2, 3, "REGEXP_MATCH"),
    REGEXP_SPLIT_TO_ARRAY(2, 3, "REGEXP_SPLIT_TO_ARRAY"),
    ARRAY_TO_STRING(2, 3, "ARRAY_TO_STRING"),
    STRING_TO_ARRAY(2, 3, "STRING_TO_ARRAY"),

    ENUM_FIRST(1, 1, "ENUM_FIRST"),
    ENUM_LAST(1, 1, "ENUM_LAST"),
    ENUM_RANGE(1, 2, "ENUM_RANGE"),

    /// A value of a domain after the domain's checks; has no name of its own.
    DOMAIN_VALUE(1, 1, "? DOMAIN"),

    /// The functions of composite values, declared consecutively.
    COMPOSITE(0, Integer.MAX_VALUE, "? ROW"),
    COMPOSITE_NAMED(0, Integer.MAX_VALUE, "? NAMED ROW"),
    ATTRIBUTE(2, 2, "? ATTRIBUTE"),
    ASSIGNED_ATTRIBUTE(3, 3, "? ATTRIBUTE="),
    COMPOSITE_IS_NULL(2, 2, "? ROW IS NULL"),
    JSON_POPULATE_RECORD(2, 2, "JSON_POPULATE_RECORD", "JSONB_POPULATE_RECORD"),

    /// Whether a row is the current one of a cursor; has no name of its own.
    CURRENT_OF(1, 1, "? CURRENT OF"),
    NEXTVAL(1, 1, "NEXTVAL"),
    CURRENT_SETTING(1, 2, "CURRENT_SETTING"),
    SET_CONFIG(3, 3, "SET_CONFIG"),
    CURRENT_SCHEMA(0, 0, "CURRENT_SCHEMA"),
    CURRENT_DATABASE(0, 0, "CURRENT_DATABASE"),
    VERSION(0, 0, "VERSION"),
    CURRENT_SCHEMAS(1, 1, "CURRENT_SCHEMAS"),
    PG_TABLE_IS_VISIBLE(1, 1, "PG_TABLE_IS_VISIBLE"),
    PG_GET_EXPR(2, 3, "PG_GET_EXPR"),
    FORMAT_TYPE(2, 2, "FORMAT_TYPE"),
    PG_GET_USERBYID(1, 1, "PG_GET_USERBYID"),
    OBJ_DESCRIPTION(1, 2, "OBJ_DESCRIPTION"),
    COL_DESCRIPTION(2, 2, "COL_DESCRIPTION"),
    PG_GET_SERIAL_SEQUENCE(2, 2, "PG_GET_SERIAL_SEQUENCE"),
    PG_GET_INDEXDEF(1, 3, "PG_GET_INDEXDEF"),
    PG_GET_CONSTRAINTDEF(1, 2, "PG_GET_CONSTRAINTDEF"),
    PG_GET_PARTKEYDEF(1, 1, "PG_GET_PARTKEYDEF"),
    PG_GET_FUNCTION_ARGUMENTS(1, 1, "PG_GET_FUNCTION_ARGUMENTS"),
    PG_GET_FUNCTION_IDENTITY_ARGUMENTS(1, 1, "PG_GET_FUNCTION_IDENTITY_ARGUMENTS"),
    PG_GET_FUNCTION_RESULT(1, 1, "PG_GET_FUNCTION_RESULT"),
    REGCLASS(1, 1, "? REGCLASS"),
    TO_REGCLASS(1, 1, "TO_REGCLASS"),
    REGTYPE(1, 1, "? REGTYPE"),
    TO_REGTYPE(1, 1, "TO_REGTYPE"),
    PG_CHAR_MAX_LENGTH(2, 2, "_PG_CHAR_MAX_LENGTH"),
    PG_NUMERIC_PRECISION(2, 2, "_PG_NUMERIC_PRECISION"),
    PG_NUMERIC_SCALE(2, 2, "_PG_NUMERIC_SCALE"),
    PG_DATETIME_PRECISION(2, 2, "_PG_DATETIME_PRECISION"),
    PG_TRUETYPID(2, 2, "_PG_TRUETYPID"),
    PG_TRUETYPMOD(2, 2, "_PG_TRUETYPMOD"),
    NAMECONCATOID(2, 2, "NAMECONCATOID"),
    PG_IS_OTHER_TEMP_SCHEMA(1, 1, "PG_IS_OTHER_TEMP_SCHEMA"),
    PG_GET_TRIGGERDEF(1, 2, "PG_GET_TRIGGERDEF"),
    PG_GET_VIEWDEF(1, 2, "PG_GET_VIEWDEF"),
    CURRVAL(1, 1, "CURRVAL"),
    SETVAL(2, 3, "SETVAL"),
    LASTVAL(0, 0, "LASTVAL"),

    /// Arithmetic on INTERVAL values; has no name of its own.
    INTERVAL_ARITHMETIC(1, 2, "? INTERVAL"),

    /// Addition of an INTERVAL to a date; has no name of its own.
    MOVED(3, 4),

    /// A [JavaFunction]; its name is its first argument.
    JAVA(1, Integer.MAX_VALUE);

    private final int least;
    private final int most;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> names;

    Function(int least, int most, String... names) {
        this.least = least;
        this.most = most;
        this.names = List.of(names);
    }

    /// Whether it may be NULL although no argument is.
    public boolean mayBeNull() {
        return switch (this) {
            case REGEXP_SUBSTR,
                    SUBSTRING,
                    FORMATDATETIME,
                    PG_TABLE_IS_VISIBLE,
                    PG_GET_INDEXDEF,
                    PG_GET_CONSTRAINTDEF,
                    PG_GET_PARTKEYDEF,
                    PG_GET_FUNCTION_ARGUMENTS,
                    PG_GET_FUNCTION_IDENTITY_ARGUMENTS,
                    PG_GET_FUNCTION_RESULT,
                    PG_GET_TRIGGERDEF,
                    PG_GET_VIEWDEF,
                    REGCLASS,
                    TO_REGCLASS,
                    REGTYPE,
                    TO_REGTYPE,
                    OBJ_DESCRIPTION,
                    COL_DESCRIPTION,
                    PG_GET_SERIAL_SEQUENCE,
                    JSON_SET_LAX,
                    JSON_INSERT,
                    ARRAY_NDIMS,
                    ARRAY_DIMS,
                    JSON_GET,
                    JSON_GET_TEXT,
                    JSON_GET_PATH,
                    JSON_GET_PATH_TEXT,
                    JSON_EXTRACT_PATH,
                    JSON_EXTRACT_PATH_TEXT,
                    JSON_SET,
                    JSON_WITHOUT_PATH,
                    JSON_PATH_EXISTS,
                    JSON_PATH_MATCH,
                    JSON_PATH_QUERY_ARRAY,
                    JSON_PATH,
                    JSON_PATH_QUERY_FIRST,
                    JSON_VALUE,
                    JSON_QUERY,
                    JSON_EXISTS,
                    ARRAY_ELEMENT,
                    OVERLAPS,
                    ASSIGNED_SLICE,
                    ANY_OF_ARRAY,
                    ALL_OF_ARRAY,
                    PG_CHAR_MAX_LENGTH,
                    PG_NUMERIC_PRECISION,
                    PG_NUMERIC_SCALE,
                    PG_DATETIME_PRECISION,
                    ARRAY_LENGTH,
                    ARRAY_UPPER,
                    ARRAY_LOWER,
                    ARRAY_POSITION,
                    REGEXP_MATCH,
                    JAVA ->
                    true;
            default -> false;
        };
    }

    /// Whether it may have a value although an argument is NULL.
    boolean skipsNull() {
        return switch (this) {
            case CONCAT,
                    CONCAT_WS,
                    GREATEST,
                    LEAST,
                    QUOTE_NULLABLE,
                    FORMAT,
                    PG_TYPEOF,
                    FORMAT_TYPE,
                    JSON_SET_LAX,
                    OVERLAPS,
                    ASSIGNED,
                    ASSIGNED_SLICE,
                    ENUM_FIRST,
                    ENUM_LAST,
                    ENUM_RANGE,
                    DOMAIN_VALUE,
                    ATTRIBUTE,
                    JSON_POPULATE_RECORD,
                    ARRAY_REPLACE,
                    ARRAY_POSITIONS,
                    ARRAY_FILL,
                    JAVA ->
                    true;
            default -> false;
        };
    }

    /// Whether the number and time of its calls matter.
    public boolean hasEffects() {
        return switch (this) {
            case NEXTVAL,
                    CURRVAL,
                    SETVAL,
                    LASTVAL,
                    CURRENT_SETTING,
                    SET_CONFIG,
                    CURRENT_OF,
                    CURRENT_SCHEMAS,
                    PG_TABLE_IS_VISIBLE,
                    PG_GET_INDEXDEF,
                    PG_GET_CONSTRAINTDEF,
                    PG_GET_PARTKEYDEF,
                    PG_GET_FUNCTION_ARGUMENTS,
                    PG_GET_FUNCTION_IDENTITY_ARGUMENTS,
                    PG_GET_FUNCTION_RESULT,
                    PG_GET_TRIGGERDEF,
                    PG_GET_VIEWDEF,
                    REGCLASS,
                    TO_REGCLASS,
                    REGTYPE,
                    TO_REGTYPE,
                    OBJ_DESCRIPTION,
                    COL_DESCRIPTION,
                    PG_GET_SERIAL_SEQUENCE,
                    RANDOM,
                    GEN_RANDOM_UUID,
                    CLOCK_TIMESTAMP ->
                    true;
            default -> false;
        };
    }

    /// Whether it has effects or may have them, as any function in Java may.
    public boolean isVolatile() {
        return hasEffects() || this == JAVA;
    }

    /// Whether another call of it in the same statement may return another value. CURRVAL and LASTVAL return the
    /// number drawn before, and a cursor stays where it is.
    public boolean differs() {
        return isVolatile() && this != CURRVAL && this != LASTVAL && this != CURRENT_OF;
    }

    /// Whether it is trigonometric or hyperbolic; these are declared consecutively.
    public boolean isOfAngles() {
        return compareTo(PI) >= 0 && compareTo(ATAN2D) <= 0;
    }

    /// Whether it describes definitions; these functions are declared consecutively.
    public boolean isOfDefinitions() {
        return compareTo(CURRENT_SCHEMAS) >= 0 && compareTo(PG_GET_VIEWDEF) <= 0;
    }

    /// Whether it is a JSON function; these are declared consecutively.
    public boolean isOfJson() {
        return compareTo(JSON_OBJECT) >= 0 && compareTo(JSON_EXISTS) <= 0;
    }

    /// Whether it is an array function; these are declared consecutively.
    public boolean isOfArrays() {
        return compareTo(ARRAY) >= 0 && compareTo(STRING_TO_ARRAY) <= 0;
    }

    public boolean isOfComposites() {
        return compareTo(COMPOSITE) >= 0 && compareTo(JSON_POPULATE_RECORD) <= 0;
    }

    /// The usual name.
    public String called() {
        return names.getFirst();
    }

    /// The text of a call with the argument `argument`, for a function that has no name of its own.
    public String written(String argument) {
        return '"' + called() + "\"(" + argument + ")";
    }

    /// The names it is called by, as `name(...)` or alone.
    public List<String> callable() {
        return names.stream()
                .filter(name -> Character.isLetter(name.charAt(0)) && name.indexOf(' ') < 0)
                .toList();
    }

    /// Minimum number of arguments.
    public int least() {
        return least;
    }

    /// Maximum number of arguments.
    public int most() {
        return most;
    }

    public boolean takes(int arguments) {
        return arguments >= least && arguments <= most;
    }

    /// The number of arguments, in words.
    public String arity() {
        if (least == most) {
            return least == 0 ? "no arguments" : least == 1 ? "1 argument" : least + " arguments";
        }
        return most == Integer.MAX_VALUE
                ? least + " arguments or more"
                : least + " to " + most + " arguments";
    }

    /// The function called `name`, or null.
    public static @Nullable Function of(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        for (Function function : values()) {
            if (function.names.contains(upper)) {
                return function;
            }
        }
        return null;
    }

    /// The names of all functions and aggregates.
    public static List<String> allNames() {
        List<String> names = new ArrayList<>();
        for (Function function : values()) {
            names.addAll(function.callable());
        }
        names.addAll(AggregateFunction.allNames());
        for (WindowFunction function : WindowFunction.callable()) {
            names.add(function.name());
        }
        return names;
    }
}
