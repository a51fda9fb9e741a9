package dev.oriel.table.definition;

/// A TIME WITH TIME ZONE as a number: the time of day and the zone's distance from Greenwich, a fixed offset.
///
/// The upper bits are the microseconds since midnight in UTC, which may be of the day before or after. The lower 17
/// are the seconds *west* of Greenwich, plus 65,536. So numbers are ordered as in PostgreSQL: by the moment, then the
/// eastern zone first; equal times have the same zone, too.
public final class ZonedTime {
    /// Greatest distance of a zone, as in [java.time.ZoneOffset].
    public static final int DISTANCE_MAX = 18 * 3_600;

    private static final long SECOND_MICROS = 1_000_000;
    private static final long DAY_MICROS = 86_400 * SECOND_MICROS;
    private static final int ZONE_BITS = 17;
    private static final int GREENWICH = 1 << (ZONE_BITS - 1);

    private ZonedTime() {}

    /// Returns the number of a time.
    ///
    /// @param local microseconds since midnight of clocks in the zone
    /// @param east seconds east of Greenwich, at most [#DISTANCE_MAX] to either side
    public static long of(long local, int east) {
        return (local - east * SECOND_MICROS) << ZONE_BITS | (GREENWICH - east);
    }

    /// Seconds east of Greenwich.
    public static int east(long value) {
        return GREENWICH - (int) (value & ((1 << ZONE_BITS) - 1));
    }

    /// Microseconds since midnight that clocks in the zone show.
    public static long local(long value) {
        return (value >> ZONE_BITS) + east(value) * SECOND_MICROS;
    }

    /// Microseconds since midnight in UTC; those of another day are negative, or a day and more.
    public static long utc(long value) {
        return value >> ZONE_BITS;
    }

    /// The number of a time that is `micros` later in the same zone, also beyond midnight, for comparisons.
    ///
    /// @throws ArithmeticException if it is out of range
    public static long later(long value, long micros) {
        return Math.addExact(value, Math.multiplyExact(micros, 1L << ZONE_BITS));
    }

    public static boolean isValid(long value) {
        long local = local(value);
        return Math.abs(east(value)) <= DISTANCE_MAX && local >= 0 && local < DAY_MICROS;
    }
}
