package dev.oriel.sql;

import dev.oriel.table.Type;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// An aggregate of a query.
///
/// @param argument null for COUNT(*)
record AggregateCall(
        Kind kind, @Nullable Scalar argument, boolean distinct, Type type, SqlText.Place place) {
    enum Kind {
        COUNT,
        SUM,
        AVG,
        MIN,
        MAX;

        /// The aggregate that is called `name`, or null.
        static @Nullable Kind of(String name) {
            return switch (name.toUpperCase(Locale.ROOT)) {
                case "COUNT" -> COUNT;
                case "SUM" -> SUM;
                case "AVG" -> AVG;
                case "MIN" -> MIN;
                case "MAX" -> MAX;
                default -> null;
            };
        }
    }
}
