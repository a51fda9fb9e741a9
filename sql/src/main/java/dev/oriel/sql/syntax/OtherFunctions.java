package dev.oriel.sql.syntax;

import java.util.Locale;
import java.util.Set;

/// Functions of other databases that stand for expressions here. Users cannot create functions of these names, since
/// views and indexes may call them.
public final class OtherFunctions {
    private static final Set<String> NAMES =
            Set.of(
                    "ARG_MAX",
                    "ARG_MIN",
                    "ARRAY_CONTAINS",
                    "BITCOUNT",
                    "CHAR",
                    "CHARINDEX",
                    "CURDATE",
                    "CURTIME",
                    "DATABASE",
                    "DAY",
                    "DAYOFMONTH",
                    "DAYOFYEAR",
                    "DAY_OF_MONTH",
                    "DAY_OF_YEAR",
                    "GETDATE",
                    "GROUPING_ID",
                    "GROUP_CONCAT",
                    "HOUR",
                    "IIF",
                    "ISNULL",
                    "ISO_DAY_OF_WEEK",
                    "ISO_WEEK",
                    "ISO_WEEK_YEAR",
                    "ISO_YEAR",
                    "LOCATE",
                    "MAX_BY",
                    "MEDIAN",
                    "MIN_BY",
                    "MINUTE",
                    "MONTH",
                    "NEWID",
                    "NUM_NONNULLS",
                    "NUM_NULLS",
                    "QUARTER",
                    "RAND",
                    "SECOND",
                    "SYSTEM_RANGE",
                    "TIMESTAMPADD",
                    "TIMESTAMPDIFF",
                    "UUID",
                    "WEEK",
                    "YEAR");

    private OtherFunctions() {}

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
