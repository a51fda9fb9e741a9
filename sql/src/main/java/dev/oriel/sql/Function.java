package dev.oriel.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The functions of one row, with the names they are called by.
enum Function {
    LOWER(1, 1, "LOWER", "LCASE"),
    UPPER(1, 1, "UPPER", "UCASE"),
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
    CURRENT_TIMESTAMP(0, 0, "CURRENT_TIMESTAMP", "NOW"),
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
    REGEXP_REPLACE(3, 4, "REGEXP_REPLACE"),
    REGEXP_SUBSTR(2, 2, "REGEXP_SUBSTR"),
    REGEXP_COUNT(2, 2, "REGEXP_COUNT"),
    LIKE2REGEXP(1, 1, "LIKE2REGEXP"),
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
    TRUNC(1, 2, "TRUNC", "TRUNCATE"),
    DIV(2, 2, "DIV"),
    GCD(2, 2, "GCD"),
    LCM(2, 2, "LCM"),
    BITAND(2, 2, "BITAND"),
    BITOR(2, 2, "BITOR"),
    BITXOR(2, 2, "BITXOR"),
    GREATEST(1, Integer.MAX_VALUE, "GREATEST"),
    LEAST(1, Integer.MAX_VALUE, "LEAST"),
    IF(3, 3, "IF", "IFTHEN"),
    NVL2(3, 3, "NVL2"),
    EXTRACT(2, 2, "EXTRACT", "DATE_PART", "DATEPART"),
    DATE_TRUNC(2, 2, "DATE_TRUNC"),
    DATEADD(3, 3, "DATEADD"),
    DATEDIFF(3, 3, "DATEDIFF"),
    MAKE_DATE(3, 3, "MAKE_DATE"),
    LAST_DAY(1, 1, "LAST_DAY"),
    TO_CHAR(2, 2, "TO_CHAR", "DATETOCHAR"),
    TO_DATE(2, 2, "TO_DATE"),
    TO_TIMESTAMP(2, 2, "TO_TIMESTAMP", "CHARTODATE"),
    ISVALIDDATETIME(2, 2, "ISVALIDDATETIME"),

    NEXTVAL(1, 1, "NEXTVAL"),
    CURRVAL(1, 1, "CURRVAL"),
    SETVAL(2, 3, "SETVAL"),
    LASTVAL(0, 0, "LASTVAL"),

    /// What an INTERVAL does to a date; it has no name of its own.
    MOVED(3, 3);

    private final int least;
    private final int most;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> names;

    Function(int least, int most, String... names) {
        this.least = least;
        this.most = most;
        this.names = List.of(names);
    }

    /// Whether it may be NULL where no argument is.
    boolean mayBeNull() {
        return this == REGEXP_SUBSTR;
    }

    /// Whether it may have a value where an argument is NULL.
    boolean skipsNull() {
        return this == CONCAT || this == CONCAT_WS || this == GREATEST || this == LEAST;
    }

    /// Whether it matters how often it is called.
    boolean hasEffects() {
        return this == NEXTVAL || this == CURRVAL || this == SETVAL || this == LASTVAL;
    }

    boolean takes(int arguments) {
        return arguments >= least && arguments <= most;
    }

    /// How many arguments it takes, in words.
    String arity() {
        if (least == most) {
            return least == 0 ? "no arguments" : least == 1 ? "1 argument" : least + " arguments";
        }
        return most == Integer.MAX_VALUE
                ? least + " arguments or more"
                : least + " to " + most + " arguments";
    }

    /// The function that is called `name`, or null.
    static @Nullable Function of(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        for (Function function : values()) {
            if (function.names.contains(upper)) {
                return function;
            }
        }
        return null;
    }

    /// The names of all functions and aggregates.
    static List<String> allNames() {
        List<String> names = new ArrayList<>();
        for (Function function : values()) {
            names.addAll(function.names);
        }
        names.addAll(AggregateCall.Kind.allNames());
        for (WindowFunction function : WindowFunction.values()) {
            names.add(function.name());
        }
        return names;
    }
}
