package dev.oriel.sql.syntax;

import static dev.oriel.sql.syntax.Traits.ANY;
import static dev.oriel.sql.syntax.Traits.FOREIGN;
import static dev.oriel.sql.syntax.Traits.NULLABLE;
import static dev.oriel.sql.syntax.Traits.STABLE;
import static dev.oriel.sql.syntax.Traits.STEADY;
import static dev.oriel.sql.syntax.Traits.VOLATILE;

import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Scalar functions: family, traits, least and greatest number of arguments, and the names they are called by. A
/// function without traits is immutable, and never NULL if no argument is. [FunctionDescriptions] has signatures, null
/// rules and examples; a test compares both.
public enum Function {
    LOWER(Family.TEXT, 1, 1, "LOWER", "LCASE"),
    UPPER(Family.TEXT, 1, 1, "UPPER", "UCASE"),
    /// The text that texts without case are compared by; written in double quotes.
    FOLD_CASE(Family.TEXT, 1, 1, "? FOLD CASE"),
    LENGTH(Family.TEXT, 1, 1, "LENGTH", "CHAR_LENGTH", "CHARACTER_LENGTH", "LEN"),
    SUBSTRING(Family.TEXT, NULLABLE, 2, 3, "SUBSTRING", "SUBSTR"),
    TRIM(Family.TEXT, 1, 2, "TRIM", "BTRIM"),
    LTRIM(Family.TEXT, 1, 2, "LTRIM"),
    RTRIM(Family.TEXT, 1, 2, "RTRIM"),
    REPLACE(Family.TEXT, 3, 3, "REPLACE"),
    CONCAT(Family.TEXT, 0, ANY, "CONCAT"),
    LEFT(Family.TEXT, 2, 2, "LEFT"),
    RIGHT(Family.TEXT, 2, 2, "RIGHT"),
    ASCII(Family.TEXT, Typing.INTEGER, "T", 1, "ASCII"),
    CHR(Family.TEXT, Typing.TEXT, "I", 1, "CHR"),
    INITCAP(Family.TEXT, Typing.TEXT, "T", 1, "INITCAP"),
    LPAD(Family.TEXT, Typing.TEXT, "TIT", 2, "LPAD"),
    RPAD(Family.TEXT, Typing.TEXT, "TIT", 2, "RPAD"),
    REPEAT(Family.TEXT, Typing.TEXT, "TI", 2, "REPEAT"),
    REVERSE(Family.TEXT, Typing.TEXT, "T", 1, "REVERSE"),
    SPACE(Family.TEXT, Typing.TEXT, "I", 1, "SPACE"),
    SPLIT_PART(Family.TEXT, Typing.TEXT, "TTI", 3, "SPLIT_PART"),
    POSITION(Family.TEXT, 2, 2, "POSITION"),
    STRPOS(Family.TEXT, 2, 2, "STRPOS", "INSTR"),
    STARTS_WITH(Family.TEXT, Typing.BOOLEAN, "TT", 2, "STARTS_WITH"),
    CONTAINS(Family.TEXT, Typing.BOOLEAN, "TT", 2, "CONTAINS"),
    TRANSLATE(Family.TEXT, Typing.TEXT, "TTT", 3, "TRANSLATE"),
    CONCAT_WS(Family.TEXT, 1, ANY, "CONCAT_WS"),
    OVERLAY(Family.TEXT, 3, 4, "OVERLAY"),
    SOUNDEX(Family.TEXT, Typing.TEXT, "T", 1, "SOUNDEX"),
    SOUNDSLIKE(Family.TEXT, Typing.BOOLEAN, "TT", 2, "SOUNDSLIKE"),
    DIFFERENCE(Family.TEXT, Typing.INTEGER, "TT", 2, "DIFFERENCE"),
    QUOTE_LITERAL(Family.TEXT, 1, 1, "QUOTE_LITERAL"),
    QUOTE_NULLABLE(Family.TEXT, 1, 1, "QUOTE_NULLABLE"),
    QUOTE_IDENT(Family.TEXT, 1, 1, "QUOTE_IDENT"),
    FORMAT(Family.TEXT, 1, ANY, "FORMAT"),
    UNISTR(Family.TEXT, Typing.TEXT, "T", 1, "UNISTR"),
    NORMALIZE(Family.TEXT, 1, 2, "NORMALIZE"),

    REGEXP_LIKE(Family.PATTERN, Typing.BOOLEAN, "TTT", 2, "REGEXP_LIKE", "MATCHES"),
    REGEXP_REPLACE(Family.PATTERN, 3, 6, "REGEXP_REPLACE"),
    REGEXP_SUBSTR(Family.PATTERN, NULLABLE, 2, 6, "REGEXP_SUBSTR"),
    REGEXP_COUNT(Family.PATTERN, 2, 4, "REGEXP_COUNT"),
    REGEXP_INSTR(Family.PATTERN, 2, 7, "REGEXP_INSTR"),
    LIKE2REGEXP(Family.PATTERN, Typing.TEXT, "T", 1, "LIKE2REGEXP"),
    SIMILAR_TO_ESCAPE(Family.PATTERN, Typing.TEXT, "TT", 1, "SIMILAR_TO_ESCAPE"),

    OCTET_LENGTH(Family.BYTES, 1, 1, "OCTET_LENGTH"),
    HEX(Family.BYTES, 1, 1, "HEX", "TO_HEX"),
    MD5(Family.BYTES, 1, 1, "MD5"),
    BASE64ENCODE(Family.BYTES, Typing.TEXT, "T", 1, "BASE64ENCODE"),
    BASE64DECODE(Family.BYTES, Typing.TEXT, "T", 1, "BASE64DECODE"),
    ENCODE(Family.BYTES, 2, 2, "ENCODE"),
    DECODE(Family.BYTES, 2, 2, "DECODE"),
    SHA224(Family.BYTES, 1, 1, "SHA224"),
    SHA256(Family.BYTES, 1, 1, "SHA256"),
    SHA384(Family.BYTES, 1, 1, "SHA384"),
    SHA512(Family.BYTES, 1, 1, "SHA512"),
    HASH(Family.BYTES, 2, 3, "HASH"),
    CONVERT_TO(Family.BYTES, 2, 2, "CONVERT_TO"),
    CONVERT_FROM(Family.BYTES, 2, 2, "CONVERT_FROM"),
    BIT_LENGTH(Family.BYTES, 1, 1, "BIT_LENGTH"),
    GET_BIT(Family.BYTES, 2, 2, "GET_BIT"),
    SET_BIT(Family.BYTES, 3, 3, "SET_BIT"),
    GET_BYTE(Family.BYTES, 2, 2, "GET_BYTE"),
    SET_BYTE(Family.BYTES, 3, 3, "SET_BYTE"),
    BIT_COUNT(Family.BYTES, 1, 1, "BIT_COUNT"),
    FLOAT4SEND(Family.BYTES, 1, 1, "FLOAT4SEND"),
    FLOAT8SEND(Family.BYTES, 1, 1, "FLOAT8SEND"),

    ABS(Family.NUMBER, 1, 1, "ABS"),
    SIGN(Family.NUMBER, 1, 1, "SIGN"),
    ROUND(Family.NUMBER, 1, 2, "ROUND"),
    FLOOR(Family.NUMBER, 1, 1, "FLOOR"),
    CEIL(Family.NUMBER, 1, 1, "CEIL", "CEILING"),
    MOD(Family.NUMBER, 2, 2, "MOD"),
    POWER(Family.NUMBER, 2, 2, "POWER", "POW"),
    SQRT(Family.NUMBER, 1, 1, "SQRT"),
    CBRT(Family.NUMBER, Typing.DOUBLE, "D", 1, "CBRT"),
    EXP(Family.NUMBER, 1, 1, "EXP"),
    LN(Family.NUMBER, 1, 1, "LN"),
    LOG10(Family.NUMBER, 1, 1, "LOG10"),
    LOG(Family.NUMBER, 1, 2, "LOG"),
    SCALE(Family.NUMBER, 1, 1, "SCALE"),
    MIN_SCALE(Family.NUMBER, 1, 1, "MIN_SCALE"),
    TRIM_SCALE(Family.NUMBER, 1, 1, "TRIM_SCALE"),
    FACTORIAL(Family.NUMBER, 1, 1, "FACTORIAL"),
    TRUNC(Family.NUMBER, 1, 2, "TRUNC", "TRUNCATE"),
    RANDOM(Family.NUMBER, VOLATILE, 0, 0, "RANDOM"),
    GEN_RANDOM_UUID(Family.NUMBER, VOLATILE, 0, 0, "GEN_RANDOM_UUID", "RANDOM_UUID"),
    DIV(Family.NUMBER, 2, 2, "DIV"),
    GCD(Family.NUMBER, 2, 2, "GCD"),
    LCM(Family.NUMBER, 2, 2, "LCM"),
    WIDTH_BUCKET(Family.NUMBER, 2, 4, "WIDTH_BUCKET"),
    TO_NUMBER(Family.NUMBER, 2, 2, "TO_NUMBER"),

    PI(Family.ANGLE, Typing.DOUBLE, "", 0, "PI"),
    SIN(Family.ANGLE, Typing.DOUBLE, "D", 1, "SIN"),
    COS(Family.ANGLE, Typing.DOUBLE, "D", 1, "COS"),
    TAN(Family.ANGLE, Typing.DOUBLE, "D", 1, "TAN"),
    COT(Family.ANGLE, Typing.DOUBLE, "D", 1, "COT"),
    ASIN(Family.ANGLE, Typing.DOUBLE, "D", 1, "ASIN"),
    ACOS(Family.ANGLE, Typing.DOUBLE, "D", 1, "ACOS"),
    ATAN(Family.ANGLE, Typing.DOUBLE, "D", 1, "ATAN"),
    ATAN2(Family.ANGLE, Typing.DOUBLE, "DD", 2, "ATAN2"),
    DEGREES(Family.ANGLE, Typing.DOUBLE, "D", 1, "DEGREES"),
    RADIANS(Family.ANGLE, Typing.DOUBLE, "D", 1, "RADIANS"),
    SINH(Family.ANGLE, Typing.DOUBLE, "D", 1, "SINH"),
    COSH(Family.ANGLE, Typing.DOUBLE, "D", 1, "COSH"),
    TANH(Family.ANGLE, Typing.DOUBLE, "D", 1, "TANH"),
    ASINH(Family.ANGLE, Typing.DOUBLE, "D", 1, "ASINH"),
    ACOSH(Family.ANGLE, Typing.DOUBLE, "D", 1, "ACOSH"),
    ATANH(Family.ANGLE, Typing.DOUBLE, "D", 1, "ATANH"),
    SIND(Family.ANGLE, Typing.DOUBLE, "D", 1, "SIND"),
    COSD(Family.ANGLE, Typing.DOUBLE, "D", 1, "COSD"),
    TAND(Family.ANGLE, Typing.DOUBLE, "D", 1, "TAND"),
    COTD(Family.ANGLE, Typing.DOUBLE, "D", 1, "COTD"),
    ASIND(Family.ANGLE, Typing.DOUBLE, "D", 1, "ASIND"),
    ACOSD(Family.ANGLE, Typing.DOUBLE, "D", 1, "ACOSD"),
    ATAND(Family.ANGLE, Typing.DOUBLE, "D", 1, "ATAND"),
    ATAN2D(Family.ANGLE, Typing.DOUBLE, "DD", 2, "ATAN2D"),

    BITAND(Family.BITS, 2, 2, "BITAND"),
    BITOR(Family.BITS, 2, 2, "BITOR"),
    BITXOR(Family.BITS, 2, 2, "BITXOR"),
    BITNOT(Family.BITS, 1, 1, "BITNOT"),
    LSHIFT(Family.BITS, 2, 2, "? <<"),
    RSHIFT(Family.BITS, 2, 2, "? >>"),
    SHIFT_LEFT(Family.BITS, 2, 2, "LSHIFT"),
    SHIFT_RIGHT(Family.BITS, 2, 2, "RSHIFT"),
    UNSIGNED_LEFT(Family.BITS, 2, 2, "ULSHIFT"),
    UNSIGNED_RIGHT(Family.BITS, 2, 2, "URSHIFT"),
    ROTATELEFT(Family.BITS, 2, 2, "ROTATELEFT"),
    ROTATERIGHT(Family.BITS, 2, 2, "ROTATERIGHT"),
    BITGET(Family.BITS, 2, 2, "BITGET"),
    BITCOUNT(Family.BITS, 1, 1, "BITCOUNT"),

    COALESCE(Family.CHOICE, 1, ANY, "COALESCE", "NVL", "IFNULL"),
    NULLIF(Family.CHOICE, 2, 2, "NULLIF"),
    GREATEST(Family.CHOICE, 1, ANY, "GREATEST"),
    LEAST(Family.CHOICE, 1, ANY, "LEAST"),
    IF(Family.CHOICE, 3, 3, "IF", "IFTHEN"),
    NVL2(Family.CHOICE, 3, 3, "NVL2"),

    IS_OF(Family.TYPE, 2, ANY, "? IS OF"),
    /// A conversion that only CAST makes, of another database; has no name of its own.
    OTHER_CAST(Family.TYPE, 1, 1, "? CAST"),
    PG_TYPEOF(Family.TYPE, 1, 1, "PG_TYPEOF"),
    /// A value of a domain after the domain's checks; has no name of its own.
    DOMAIN_VALUE(Family.TYPE, 1, 1, "? DOMAIN"),

    CURRENT_DATE(Family.DATE, 0, 0, "CURRENT_DATE"),
    CURRENT_TIME(Family.DATE, 0, 0, "CURRENT_TIME"),
    CURRENT_TIMESTAMP(
            Family.DATE,
            0,
            0,
            "CURRENT_TIMESTAMP",
            "NOW",
            "STATEMENT_TIMESTAMP",
            "TRANSACTION_TIMESTAMP"),
    LOCALTIMESTAMP(Family.DATE, 0, 0, "LOCALTIMESTAMP", "SYSDATE"),
    CLOCK_TIMESTAMP(Family.DATE, VOLATILE, 0, 0, "CLOCK_TIMESTAMP"),
    EXTRACT(Family.DATE, 2, 2, "EXTRACT", "DATE_PART", "DATEPART"),
    DATE_TRUNC(Family.DATE, 2, 3, "DATE_TRUNC"),
    DATEADD(Family.DATE, 3, 3, "DATEADD"),
    DATEDIFF(Family.DATE, 3, 3, "DATEDIFF"),
    MAKE_DATE(Family.DATE, 3, 3, "MAKE_DATE"),
    MAKE_TIME(Family.DATE, 3, 3, "MAKE_TIME"),
    MAKE_TIMESTAMP(Family.DATE, 6, 6, "MAKE_TIMESTAMP"),
    MAKE_TIMESTAMPTZ(Family.DATE, 6, 7, "MAKE_TIMESTAMPTZ"),
    MAKE_INTERVAL(Family.DATE, 0, 7, "MAKE_INTERVAL"),
    JUSTIFY_DAYS(Family.DATE, 1, 1, "JUSTIFY_DAYS"),
    JUSTIFY_HOURS(Family.DATE, 1, 1, "JUSTIFY_HOURS"),
    JUSTIFY_INTERVAL(Family.DATE, 1, 1, "JUSTIFY_INTERVAL"),
    ISFINITE(Family.DATE, 1, 1, "ISFINITE"),
    ADD_MONTHS(Family.DATE, 2, 2, "ADD_MONTHS"),
    AGE(Family.DATE, 1, 2, "AGE"),
    OVERLAPS(Family.DATE, NULLABLE, 4, 4, "OVERLAPS"),
    DATE_BIN(Family.DATE, 3, 3, "DATE_BIN"),
    TIMEZONE(Family.DATE, 2, 2, "TIMEZONE"),
    LAST_DAY(Family.DATE, 1, 1, "LAST_DAY"),
    TO_CHAR(Family.DATE, 2, 2, "TO_CHAR", "DATETOCHAR"),
    TO_DATE(Family.DATE, 2, 2, "TO_DATE"),
    TO_TIMESTAMP(Family.DATE, 1, 2, "TO_TIMESTAMP", "CHARTODATE"),
    ISVALIDDATETIME(Family.DATE, 2, 2, "ISVALIDDATETIME"),
    FORMATDATETIME(Family.DATE, NULLABLE, 2, 4, "FORMATDATETIME"),
    PARSEDATETIME(Family.DATE, 2, 4, "PARSEDATETIME"),
    /// Arithmetic on INTERVAL values; has no name of its own.
    INTERVAL_ARITHMETIC(Family.DATE, 1, 2, "? INTERVAL"),
    /// Addition of an INTERVAL to a date; has no name of its own.
    MOVED(Family.DATE, 3, 4),

    JSON_OBJECT(Family.JSON, 0, ANY, "JSON_OBJECT", "JSON_BUILD_OBJECT", "JSONB_BUILD_OBJECT"),
    JSON_OBJECT_ABSENT(Family.JSON, 0, ANY, "JSON_OBJECT ABSENT"),
    JSON_OBJECT_UNIQUE(Family.JSON, 0, ANY, "JSON_OBJECT UNIQUE"),
    JSON_OBJECT_ABSENT_UNIQUE(Family.JSON, 0, ANY, "JSON_OBJECT ABSENT UNIQUE"),
    JSON_ARRAY(Family.JSON, 0, ANY, "JSON_ARRAY"),
    JSON_ARRAY_NULLS(
            Family.JSON, 0, ANY, "JSON_ARRAY NULLS", "JSON_BUILD_ARRAY", "JSONB_BUILD_ARRAY"),
    JSON(Family.JSON, 1, 1, "JSON"),
    TO_JSON(Family.JSON, 1, 1, "TO_JSON", "TO_JSONB", "JSON_SCALAR"),
    ROW_TO_JSON(Family.JSON, 1, 2, "ROW_TO_JSON"),
    JSON_SERIALIZE(Family.JSON, 1, 1, "JSON_SERIALIZE"),
    JSON_TYPEOF(Family.JSON, 1, 1, "JSON_TYPEOF", "JSONB_TYPEOF"),
    JSON_ARRAY_LENGTH(Family.JSON, 1, 1, "JSON_ARRAY_LENGTH", "JSONB_ARRAY_LENGTH"),
    JSON_PRETTY(Family.JSON, 1, 1, "JSONB_PRETTY", "JSON_PRETTY"),
    JSON_STRIP_NULLS(Family.JSON, 1, 1, "JSON_STRIP_NULLS", "JSONB_STRIP_NULLS"),
    JSON_SET(Family.JSON, NULLABLE, 3, 4, "JSONB_SET", "JSON_SET"),
    JSON_INSERT(Family.JSON, NULLABLE, 3, 4, "JSONB_INSERT", "JSON_INSERT"),
    JSON_SET_LAX(Family.JSON, NULLABLE, 3, 5, "JSONB_SET_LAX"),
    JSON_DELETE(Family.JSON, 2, 2, "JSONB_DELETE"),
    JSON_HAS(Family.JSON, 2, 2, "JSONB_EXISTS"),
    JSON_HAS_ANY(Family.JSON, 2, 2, "JSONB_EXISTS_ANY"),
    JSON_HAS_ALL(Family.JSON, 2, 2, "JSONB_EXISTS_ALL"),
    JSON_OF_PAIRS(Family.JSON, 1, 2, "JSONB_OBJECT"),
    ARRAY_TO_JSON(Family.JSON, 1, 2, "ARRAY_TO_JSON"),
    JSON_WITHOUT(Family.JSON, 2, 2, "- JSON"),
    JSON_WITHOUT_PATH(Family.JSON, NULLABLE, 2, 2, "#-", "JSONB_DELETE_PATH"),
    JSON_CONTAINS(Family.JSON, 2, 2, "@>", "JSONB_CONTAINS"),
    JSON_CONTAINED(Family.JSON, 2, 2, "<@", "JSONB_CONTAINED"),
    JSON_CONCAT(Family.JSON, 2, 2, "JSONB_CONCAT"),
    JSON_GET(Family.JSON, NULLABLE, 2, 2, "->"),
    JSON_GET_TEXT(Family.JSON, NULLABLE, 2, 2, "->>"),
    JSON_GET_PATH(Family.JSON, NULLABLE, 2, 2, "#>"),
    JSON_GET_PATH_TEXT(Family.JSON, NULLABLE, 2, 2, "#>>"),
    JSON_EXTRACT_PATH(Family.JSON, NULLABLE, 1, ANY, "JSON_EXTRACT_PATH", "JSONB_EXTRACT_PATH"),
    JSON_EXTRACT_PATH_TEXT(
            Family.JSON, NULLABLE, 1, ANY, "JSON_EXTRACT_PATH_TEXT", "JSONB_EXTRACT_PATH_TEXT"),
    JSON_PATH_EXISTS(Family.JSON, NULLABLE, 2, 4, "JSONB_PATH_EXISTS", "JSON_PATH_EXISTS"),
    JSON_PATH_MATCH(Family.JSON, NULLABLE, 2, 4, "JSONB_PATH_MATCH", "JSON_PATH_MATCH"),
    JSON_PATH_QUERY_ARRAY(
            Family.JSON, NULLABLE, 2, 4, "JSONB_PATH_QUERY_ARRAY", "JSON_PATH_QUERY_ARRAY"),
    JSON_PATH_EXISTS_TZ(Family.JSON, NULLABLE | STABLE, 2, 4, "JSONB_PATH_EXISTS_TZ"),
    JSON_PATH_MATCH_TZ(Family.JSON, NULLABLE | STABLE, 2, 4, "JSONB_PATH_MATCH_TZ"),
    JSON_PATH_QUERY_ARRAY_TZ(Family.JSON, NULLABLE | STABLE, 2, 4, "JSONB_PATH_QUERY_ARRAY_TZ"),
    JSON_PATH_QUERY_FIRST_TZ(Family.JSON, NULLABLE | STABLE, 2, 4, "JSONB_PATH_QUERY_FIRST_TZ"),
    JSON_PATH(Family.JSON, NULLABLE, 1, 1, "JSONPATH"),
    JSON_PATH_QUERY_FIRST(
            Family.JSON, NULLABLE, 2, 4, "JSONB_PATH_QUERY_FIRST", "JSON_PATH_QUERY_FIRST"),
    JSON_RECORD(Family.JSON, 1, 1, "? RECORD"),
    JSON_RECORD_TEXT(Family.JSON, 2, 2, "? RECORD TEXT"),
    IS_JSON(Family.JSON, 2, 2, "? IS JSON"),
    IS_JSON_UNIQUE(Family.JSON, 2, 2, "? IS JSON UNIQUE"),
    JSON_VALUE(Family.JSON, NULLABLE, 2, 2, "? JSON_VALUE"),
    JSON_QUERY(Family.JSON, NULLABLE, 2, 2, "? JSON_QUERY"),
    JSON_EXISTS(Family.JSON, NULLABLE, 2, 2, "? JSON_EXISTS"),

    ARRAY(Family.ARRAY, 0, ANY, "? ARRAY"),
    ARRAY_OR_EMPTY(Family.ARRAY, 1, 1, "ARRAY QUERY"),
    ARRAY_ELEMENT(Family.ARRAY, NULLABLE, 2, 2, "? []"),
    ARRAY_SLICE(Family.ARRAY, 3, 3, "? [:]"),
    ASSIGNED(Family.ARRAY, 3, ANY, "? []="),
    ASSIGNED_SLICE(Family.ARRAY, NULLABLE, 4, 4, "? [:]="),
    ANY_OF_ARRAY(Family.ARRAY, NULLABLE, 3, 3, "? ANY"),
    ALL_OF_ARRAY(Family.ARRAY, NULLABLE, 3, 3, "? ALL"),
    ARRAY_CONTAINS(Family.ARRAY, 2, 2, "? ARRAY @>"),
    ARRAY_LENGTH(Family.ARRAY, NULLABLE, 2, 2, "ARRAY_LENGTH"),
    ARRAY_UPPER(Family.ARRAY, NULLABLE, 2, 2, "ARRAY_UPPER"),
    ARRAY_LOWER(Family.ARRAY, NULLABLE, 2, 2, "ARRAY_LOWER"),
    CARDINALITY(Family.ARRAY, 1, 1, "CARDINALITY"),
    ARRAY_APPEND(Family.ARRAY, 2, 2, "ARRAY_APPEND"),
    ARRAY_PREPEND(Family.ARRAY, 2, 2, "ARRAY_PREPEND"),
    ARRAY_CAT(Family.ARRAY, 2, 2, "ARRAY_CAT"),
    ARRAY_POSITION(Family.ARRAY, NULLABLE, 2, 3, "ARRAY_POSITION"),
    ARRAY_POSITIONS(Family.ARRAY, 2, 2, "ARRAY_POSITIONS"),
    ARRAY_REMOVE(Family.ARRAY, 2, 2, "ARRAY_REMOVE"),
    ARRAY_REPLACE(Family.ARRAY, 3, 3, "ARRAY_REPLACE"),
    ARRAY_FILL(Family.ARRAY, 2, 3, "ARRAY_FILL"),
    ARRAY_NDIMS(Family.ARRAY, NULLABLE, 1, 1, "ARRAY_NDIMS"),
    ARRAY_DIMS(Family.ARRAY, NULLABLE, 1, 1, "ARRAY_DIMS"),
    TRIM_ARRAY(Family.ARRAY, 2, 2, "TRIM_ARRAY"),
    ARRAY_OVERLAP(Family.ARRAY, 2, 2, "&&"),
    PARSE_IDENT(Family.ARRAY, 1, 2, "PARSE_IDENT"),
    REGEXP_MATCHES(Family.ARRAY, 2, 3, "? REGEXP_MATCHES"),
    REGEXP_MATCH(Family.ARRAY, NULLABLE, 2, 3, "REGEXP_MATCH"),
    REGEXP_SPLIT_TO_ARRAY(Family.ARRAY, 2, 3, "REGEXP_SPLIT_TO_ARRAY"),
    ARRAY_TO_STRING(Family.ARRAY, 2, 3, "ARRAY_TO_STRING"),
    STRING_TO_ARRAY(Family.ARRAY, 2, 3, "STRING_TO_ARRAY"),

    ENUM_FIRST(Family.ENUMERATION, 1, 1, "ENUM_FIRST"),
    ENUM_LAST(Family.ENUMERATION, 1, 1, "ENUM_LAST"),
    ENUM_RANGE(Family.ENUMERATION, 1, 2, "ENUM_RANGE"),

    COMPOSITE(Family.COMPOSITE, 0, ANY, "? ROW"),
    COMPOSITE_NAMED(Family.COMPOSITE, 0, ANY, "? NAMED ROW"),
    ATTRIBUTE(Family.COMPOSITE, 2, 2, "? ATTRIBUTE"),
    ASSIGNED_ATTRIBUTE(Family.COMPOSITE, 3, 3, "? ATTRIBUTE="),
    /// NULL of the type of its argument, which is not evaluated.
    NULL_OF(Family.COMPOSITE, NULLABLE, 1, 1, "? NULL OF"),
    COMPOSITE_IS_NULL(Family.COMPOSITE, 2, 2, "? ROW IS NULL"),
    JSON_POPULATE_RECORD(Family.COMPOSITE, 2, 2, "JSON_POPULATE_RECORD", "JSONB_POPULATE_RECORD"),

    /// Whether a row is the current one of a cursor; has no name of its own.
    CURRENT_OF(Family.SESSION, VOLATILE | STEADY, 1, 1, "? CURRENT OF"),
    CURRENT_SETTING(Family.SESSION, STABLE, 1, 2, "CURRENT_SETTING"),
    SET_CONFIG(Family.SESSION, VOLATILE, 3, 3, "SET_CONFIG"),
    CURRENT_SCHEMA(Family.SESSION, 0, 0, "CURRENT_SCHEMA"),
    CURRENT_DATABASE(Family.SESSION, 0, 0, "CURRENT_DATABASE"),
    VERSION(Family.SESSION, 0, 0, "VERSION"),

    CURRENT_SCHEMAS(Family.DEFINITION, STABLE, 1, 1, "CURRENT_SCHEMAS"),
    PG_TABLE_IS_VISIBLE(Family.DEFINITION, NULLABLE | STABLE, 1, 1, "PG_TABLE_IS_VISIBLE"),
    PG_GET_EXPR(Family.DEFINITION, 2, 3, "PG_GET_EXPR"),
    FORMAT_TYPE(Family.DEFINITION, 2, 2, "FORMAT_TYPE"),
    PG_GET_USERBYID(Family.DEFINITION, 1, 1, "PG_GET_USERBYID"),
    OBJ_DESCRIPTION(Family.DEFINITION, NULLABLE | STABLE, 1, 2, "OBJ_DESCRIPTION"),
    COL_DESCRIPTION(Family.DEFINITION, NULLABLE | STABLE, 2, 2, "COL_DESCRIPTION"),
    PG_GET_SERIAL_SEQUENCE(Family.DEFINITION, NULLABLE | STABLE, 2, 2, "PG_GET_SERIAL_SEQUENCE"),
    PG_GET_INDEXDEF(Family.DEFINITION, NULLABLE | STABLE, 1, 3, "PG_GET_INDEXDEF"),
    PG_GET_CONSTRAINTDEF(Family.DEFINITION, NULLABLE | STABLE, 1, 2, "PG_GET_CONSTRAINTDEF"),
    PG_GET_PARTKEYDEF(Family.DEFINITION, NULLABLE | STABLE, 1, 1, "PG_GET_PARTKEYDEF"),
    PG_GET_FUNCTION_ARGUMENTS(
            Family.DEFINITION, NULLABLE | STABLE, 1, 1, "PG_GET_FUNCTION_ARGUMENTS"),
    PG_GET_FUNCTION_IDENTITY_ARGUMENTS(
            Family.DEFINITION, NULLABLE | STABLE, 1, 1, "PG_GET_FUNCTION_IDENTITY_ARGUMENTS"),
    PG_GET_FUNCTION_RESULT(Family.DEFINITION, NULLABLE | STABLE, 1, 1, "PG_GET_FUNCTION_RESULT"),
    REGCLASS(Family.DEFINITION, NULLABLE | STABLE, 1, 1, "? REGCLASS"),
    TO_REGCLASS(Family.DEFINITION, NULLABLE | STABLE, 1, 1, "TO_REGCLASS"),
    REGPROC(Family.DEFINITION, NULLABLE | STABLE, 1, 1, "? REGPROC"),
    TO_REGPROC(Family.DEFINITION, NULLABLE | STABLE, 1, 1, "TO_REGPROC"),
    REGTYPE(Family.DEFINITION, NULLABLE | STABLE, 1, 1, "? REGTYPE"),
    TO_REGTYPE(Family.DEFINITION, NULLABLE | STABLE, 1, 1, "TO_REGTYPE"),
    PG_CHAR_MAX_LENGTH(Family.DEFINITION, NULLABLE, 2, 2, "_PG_CHAR_MAX_LENGTH"),
    PG_NUMERIC_PRECISION(Family.DEFINITION, NULLABLE, 2, 2, "_PG_NUMERIC_PRECISION"),
    PG_NUMERIC_SCALE(Family.DEFINITION, NULLABLE, 2, 2, "_PG_NUMERIC_SCALE"),
    PG_DATETIME_PRECISION(Family.DEFINITION, NULLABLE, 2, 2, "_PG_DATETIME_PRECISION"),
    PG_TRUETYPID(Family.DEFINITION, 2, 2, "_PG_TRUETYPID"),
    PG_TRUETYPMOD(Family.DEFINITION, 2, 2, "_PG_TRUETYPMOD"),
    NAMECONCATOID(Family.DEFINITION, 2, 2, "NAMECONCATOID"),
    PG_IS_OTHER_TEMP_SCHEMA(Family.DEFINITION, 1, 1, "PG_IS_OTHER_TEMP_SCHEMA"),
    PG_GET_TRIGGERDEF(Family.DEFINITION, NULLABLE | STABLE, 1, 2, "PG_GET_TRIGGERDEF"),
    PG_GET_VIEWDEF(Family.DEFINITION, NULLABLE | STABLE, 1, 2, "PG_GET_VIEWDEF"),

    NEXTVAL(Family.SEQUENCE, VOLATILE, 1, 1, "NEXTVAL"),
    CURRVAL(Family.SEQUENCE, VOLATILE | STEADY, 1, 1, "CURRVAL"),
    SETVAL(Family.SEQUENCE, VOLATILE, 2, 3, "SETVAL"),
    LASTVAL(Family.SEQUENCE, VOLATILE | STEADY, 0, 0, "LASTVAL"),

    /// A [JavaFunction]; its name is its first argument.
    JAVA(Family.JAVA, NULLABLE | FOREIGN, 1, ANY);

    /// Functions of one subject. [FunctionBinder] binds some families by a binder of their own.
    public enum Family {
        TEXT,
        PATTERN,
        BYTES,
        NUMBER,
        ANGLE,
        BITS,
        CHOICE,
        TYPE,
        DATE,
        JSON,
        ARRAY,
        ENUMERATION,
        COMPOSITE,
        SESSION,
        DEFINITION,
        SEQUENCE,
        JAVA
    }

    /// The functions by their names in capitals.
    private static final Map<String, Function> BY_NAME = byName();

    private final Family family;
    private final int traits;
    private final int least;
    private final int most;

    /// A letter for each argument, if each has one type: T text, I integer, D double. Empty for other functions.
    private final String letters;

    /// Type of the result of a function with letters.
    @SuppressWarnings("ImmutableEnumChecker") // a type never changes
    private final @Nullable Type result;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> names;

    Function(Family family, int least, int most, String... names) {
        this(family, 0, least, most, names);
    }

    /// @param traits bits of [Traits]
    Function(Family family, int traits, int least, int most, String... names) {
        this(family, traits, null, "", least, most, names);
    }

    /// A strict function whose arguments have one type each; the library of its family has the body.
    Function(Family family, Type result, String letters, int least, String... names) {
        this(family, 0, result, letters, least, letters.length(), names);
    }

    Function(
            Family family,
            int traits,
            @Nullable Type result,
            String letters,
            int least,
            int most,
            String... names) {
        this.family = family;
        this.traits = traits;
        this.result = result;
        this.letters = letters;
        this.least = least;
        this.most = most;
        this.names = List.of(names);
    }

    private static Map<String, Function> byName() {
        Map<String, Function> all = new HashMap<>();
        for (Function function : values()) {
            for (String name : function.names) {
                Function other = all.put(name, function);
                if (other != null) {
                    throw new IllegalStateException(
                            name + " names " + other.name() + " and " + function.name());
                }
            }
        }
        return all;
    }

    public Family family() {
        return family;
    }

    /// A letter for each argument, if each has one type: T text, I integer, D double. Empty for other functions.
    public String letters() {
        return letters;
    }

    /// Type of the result; null if it follows from the arguments.
    public @Nullable Type result() {
        return result;
    }

    private boolean has(int some) {
        return (traits & some) != 0;
    }

    /// Whether it may be NULL although no argument is.
    public boolean mayBeNull() {
        return has(NULLABLE);
    }

    /// Whether the number and time of its calls matter.
    public boolean hasEffects() {
        return has(STABLE | VOLATILE);
    }

    /// Whether it has effects or may have them, as any function in Java may.
    public boolean isVolatile() {
        return has(STABLE | VOLATILE | FOREIGN);
    }

    /// Whether another call of it in the same statement may return another value. CURRVAL and LASTVAL return the
    /// number drawn before, and a cursor stays where it is.
    public boolean differs() {
        return isVolatile() && !has(STEADY);
    }

    /// Whether its value may be another one in each call, and not only in each statement or session.
    public boolean isCounted() {
        return has(VOLATILE);
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
        List<String> callable = new ArrayList<>();
        for (String name : names) {
            char first = name.charAt(0);
            if (name.indexOf(' ') < 0 && (first == '_' || Character.isLetter(first))) {
                callable.add(name);
            }
        }
        return callable;
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
        return most == ANY ? least + " arguments or more" : least + " to " + most + " arguments";
    }

    /// The function called `name`, or null.
    public static @Nullable Function of(String name) {
        return BY_NAME.get(name.toUpperCase(Locale.ROOT));
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
