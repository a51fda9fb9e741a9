package dev.oriel.sql.engine;

import dev.oriel.sql.value.TextFormat;
import dev.oriel.table.Type;

/// Text forms of dates and times, in every format that literals may have. Used by the layers above.
public final class MomentLiteral {
    private MomentLiteral() {}

    /// Parses `text` into the stored value of a date or time.
    ///
    /// @param type DATE, TIME or TIMESTAMP, with a zone or without
    /// @throws java.time.DateTimeException if it is malformed
    public static long parse(String text, Type type) {
        return TextFormat.parseLong(text, type);
    }
}
