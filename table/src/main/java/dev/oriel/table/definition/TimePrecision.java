package dev.oriel.table.definition;

/// Rounds times and timestamps to the digits of a second that their type has.
public final class TimePrecision {
    /// Greatest number of digits: values are microseconds.
    public static final int MAX = 6;

    private static final long TIME_END = 86_400_000_000L;

    private TimePrecision() {}

    /// `micros`, or the number of a TIME WITH TIME ZONE, as `type` holds it: rounded, half up. If the next higher value does not exist (a TIME at the end
    /// of the day, the last timestamp) it is cut.
    public static long rounded(long micros, Type type) {
        if (type.name() == Type.Name.TIME_TZ) {
            long local = ZonedTime.local(micros);
            Type time = Type.temporal(Type.Name.TIME, type.secondDigits());
            return ZonedTime.of(rounded(local, time), ZonedTime.east(micros));
        }
        if (type.name() != Type.Name.TIME && NonFinite.isMoment(micros)) {
            return micros;
        }
        long unit = 1;
        for (int digits = type.secondDigits(); digits < MAX; digits++) {
            unit *= 10;
        }
        long rest = Math.floorMod(micros, unit);
        boolean time = type.name() == Type.Name.TIME;
        long greatest = (time ? TIME_END - unit : Long.MAX_VALUE) - unit;
        boolean up = 2 * rest >= unit ? micros - rest <= greatest : micros < Long.MIN_VALUE + rest;
        return up ? micros + (unit - rest) : micros - rest;
    }
}
