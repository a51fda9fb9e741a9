package dev.oriel.sql.syntax;

import java.util.Locale;
import java.util.Set;

/// Functions of other databases that stand for expressions here. Users cannot create functions of these names, since
/// views and indexes may call them.
public final class OtherFunctions {
    private static final Set<String> NAMES =
            Set.of(
                    "APPROX_COUNT_DISTINCT",
                    "APPROX_DISTINCT",
                    "APPROX_MEDIAN",
                    "APPROX_PERCENTILE_CONT",
                    "ARG_MAX",
                    "ARG_MIN",
                    "ARRAY_CONTAINS",
                    "ARRAY_GET",
                    "ARRAY_SLICE",
                    "BITNAND",
                    "BITNOR",
                    "BITXNOR",
                    "BIT_NAND_AGG",
                    "BIT_NOR_AGG",
                    "BIT_XNOR_AGG",
                    "BIT_XOR_AGG",
                    "CASEWHEN",
                    "CHAR",
                    "CHARINDEX",
                    "CONVERT",
                    "COUNTIF",
                    "COUNT_IF",
                    "CURDATE",
                    "CURRENT_USER",
                    "CURTIME",
                    "DATABASE",
                    "DAY",
                    "DAYNAME",
                    "DAYOFMONTH",
                    "DAYOFWEEK",
                    "DAYOFYEAR",
                    "DAY_OF_MONTH",
                    "DAY_OF_WEEK",
                    "DAY_OF_YEAR",
                    "DIGEST",
                    "ENDS_WITH",
                    "FIND_IN_SET",
                    "FROM_UNIXTIME",
                    "GETDATE",
                    "GROUPING_ID",
                    "GROUP_CONCAT",
                    "HEXTORAW",
                    "HOUR",
                    "IIF",
                    "ISNAN",
                    "ISNULL",
                    "ISO_DAY_OF_WEEK",
                    "ISO_WEEK",
                    "ISO_WEEK_YEAR",
                    "ISO_YEAR",
                    "ISZERO",
                    "LIST_VALUE",
                    "LOCATE",
                    "LOG2",
                    "MAKE_ARRAY",
                    "MAX_BY",
                    "MEDIAN",
                    "MINUTE",
                    "MIN_BY",
                    "MONTH",
                    "MONTHNAME",
                    "NANVL",
                    "NEWID",
                    "NUM_NONNULLS",
                    "NUM_NULLS",
                    "QUANTILE_CONT",
                    "QUARTER",
                    "RAND",
                    "RANGE",
                    "RAWTOHEX",
                    "SCHEMA",
                    "SECOND",
                    "SESSION_USER",
                    "SIGNUM",
                    "STATS_MODE",
                    "STRINGTOUTF8",
                    "SYSTEM_RANGE",
                    "SYSTEM_USER",
                    "SYS_GUID",
                    "TIMESTAMPADD",
                    "TIMESTAMPDIFF",
                    "TIMESTAMP_MICROS",
                    "TIMESTAMP_MILLIS",
                    "TIMESTAMP_SECONDS",
                    "TODAY",
                    "TO_TIME",
                    "TO_TIMESTAMP_MICROS",
                    "TO_TIMESTAMP_MILLIS",
                    "TO_TIMESTAMP_SECONDS",
                    "TO_UNIXTIME",
                    "UNIX_SECONDS",
                    "USER",
                    "UTF8TOSTRING",
                    "UUID",
                    "WEEK",
                    "YEAR");

    private OtherFunctions() {}

    /// The names in capitals, without those that ask for a right.
    public static Set<String> names() {
        return NAMES;
    }

    /// Whether `name` is one.
    public static boolean is(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return NAMES.contains(upper) || isPrivilege(upper);
    }

    /// Whether `upper` asks for a right, as HAS_TABLE_PRIVILEGE does.
    public static boolean isPrivilege(String upper) {
        return upper.startsWith("HAS_") && upper.endsWith("_PRIVILEGE");
    }
}
