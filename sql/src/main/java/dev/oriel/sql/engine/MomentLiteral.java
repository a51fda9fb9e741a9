package dev.oriel.sql.engine;

import dev.oriel.sql.value.TextFormat;
import dev.oriel.table.Type;

/// Dates and times as text, in all forms that literals may have. For the layers above.
public final class MomentLiteral {
    private MomentLiteral() {}

    /// What a row holds for the date or time that `text` is.
    ///
    /// @param type DATE, TIME or TIMESTAMP, with a zone or without
    /// @throws java.time.DateTimeException if it is none
    public static long parse(String text, Type type) {
        return TextFormat.parseLong(text, type);
    }
}
