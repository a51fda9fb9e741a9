package dev.oriel.kv;

import dev.oriel.store.Durability;
import dev.oriel.store.UsageException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How a value is written.
///
/// @param cas the entry must have this number, or nothing is done; 0 where any will do
/// @param flags 32 bits that mean something to clients alone; the codec's where they are 0
/// @param expiresAt from when on the entry is absent; null for never
/// @param keepsExpiry whether the entry keeps the expiry that it has
/// @param durability what is waited for; null for what the database does anyway
public record WriteOptions(
        long cas,
        int flags,
        @Nullable Instant expiresAt,
        boolean keepsExpiry,
        @Nullable Durability durability) {
    private static final WriteOptions NONE = new WriteOptions(0, 0, null, false, null);

    /// Any number, no flags, no expiry, the database's durability.
    public static WriteOptions none() {
        return NONE;
    }

    public WriteOptions ifCas(long wanted) {
        return new WriteOptions(wanted, flags, expiresAt, keepsExpiry, durability);
    }

    public WriteOptions withFlags(int wanted) {
        return new WriteOptions(cas, wanted, expiresAt, keepsExpiry, durability);
    }

    public WriteOptions expiringAt(Instant moment) {
        return new WriteOptions(cas, flags, moment, false, durability);
    }

    /// Counted from now, by this machine's clock.
    public WriteOptions expiringIn(Duration time) {
        try {
            return expiringAt(Instant.now().plus(time));
        } catch (DateTimeException | ArithmeticException e) {
            throw new UsageException(
                    "An entry cannot expire so late; choose a shorter time", "time=" + time, e);
        }
    }

    public WriteOptions keepingExpiry() {
        return new WriteOptions(cas, flags, null, true, durability);
    }

    public WriteOptions withDurability(Durability wanted) {
        return new WriteOptions(cas, flags, expiresAt, keepsExpiry, wanted);
    }

    /// `moment` as a [Change] has it; null for never.
    static long micros(@Nullable Instant moment, long never) {
        return moment == null ? never : micros(moment);
    }

    long expiresAtMicros() {
        Instant moment = expiresAt;
        if (keepsExpiry) {
            return Change.KEEP;
        }
        return micros(moment, Change.NEVER);
    }

    /// Moments before 1970 have long passed too; those that nobody can count to never come.
    static long micros(Instant moment) {
        if (moment.getEpochSecond() < 0) {
            return 1;
        }
        if (moment.getEpochSecond() >= Long.MAX_VALUE / 1_000_000) {
            return Change.NEVER;
        }
        long micros = moment.getEpochSecond() * 1_000_000 + moment.getNano() / 1_000;
        return Math.max(1, micros);
    }
}
