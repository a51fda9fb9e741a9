package dev.oriel.table;

import dev.oriel.store.CorruptionException;
import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/// Tests that values decoded from rows are valid for their types.
public final class StoredValues {
    private static final long DAY_MICROS = 86_400_000_000L;

    private static final Type TIME = Type.of(Type.Name.TIME);

    private StoredValues() {}

    /// The time of day of a TIME of `micros` microseconds.
    ///
    /// @throws CorruptionException if it is out of range
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
        } else if (type.name() == Type.Name.COMPOSITE) {
            CompositeValue.attributes(type.composite(), bytes);
        } else if (type.name() == Type.Name.INTERVAL) {
            IntervalValue.of(bytes);
        }
    }
}
