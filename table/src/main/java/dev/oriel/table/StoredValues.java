package dev.oriel.table;

import dev.oriel.store.CorruptionException;
import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/// Whether values that were decoded from rows are such as their types have.
public final class StoredValues {
    private static final long DAY_MICROS = 86_400_000_000L;

    private static final Type TIME = Type.of(Type.Name.TIME);

    private StoredValues() {}

    /// The time of the day that a TIME of so many microseconds is.
    ///
    /// @throws CorruptionException if no TIME is that
    public static LocalTime time(long micros) {
        check(TIME, micros);
        return LocalTime.ofNanoOfDay(micros * 1000);
    }

    /// @throws CorruptionException if a value of `type` cannot be `value`
    static void check(Type type, long value) {
        boolean possible =
                switch (type.name()) {
                    case BOOLEAN -> value == 0 || value == 1;
                    case TIME -> value >= 0 && value < DAY_MICROS;
                    default -> true;
                };
        if (!possible) {
            throw new CorruptionException(
                    "A row holds a value that its column cannot have; run check",
                    type + "=" + value);
        }
    }

    /// @throws CorruptionException if a value of `type` cannot be `bytes`
    static void check(Type type, byte @Nullable [] bytes) {
        if (bytes == null) {
            return;
        }
        if (type.element() != null) {
            ArrayValue.elements(type.element(), bytes);
        } else if (type.name() == Type.Name.INTERVAL) {
            IntervalValue.of(bytes);
        }
    }
}
