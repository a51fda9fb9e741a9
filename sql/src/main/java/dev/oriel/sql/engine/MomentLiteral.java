package dev.oriel.sql.engine;

import dev.oriel.sql.Session;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.Type;
import org.jspecify.annotations.Nullable;

/// Text forms of dates and times, in every format that literals may have. Used by the layers above.
public final class MomentLiteral {
    private MomentLiteral() {}

    /// Parses `text` into the stored value of a date or time.
    ///
    /// @param type DATE, TIME or TIMESTAMP, with a zone or without
    /// @param session session whose zone a moment has that names none; null for UTC
    /// @throws java.time.DateTimeException if it is malformed
    public static long parse(String text, Type type, @Nullable Session session) {
        return TextFormat.parseLong(text, type, zone(session));
    }

    /// The text of a stored date or time, a moment in the zone of `session`.
    public static String text(long value, Type type, @Nullable Session session) {
        return TextFormat.ofLong(value, type, zone(session));
    }

    static Zone zone(@Nullable Session session) {
        return session instanceof LocalSession local ? local.settings().zone() : Zone.UTC;
    }
}
