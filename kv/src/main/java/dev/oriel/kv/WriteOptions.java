package dev.oriel.kv;

import dev.oriel.store.Durability;
import dev.oriel.store.UsageException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Options of a write. Immutable.
///
/// ```java
/// WriteOptions.none().ifCas(entry.cas()).expiringIn(Duration.ofMinutes(20))
/// ```
///
/// @param cas the CAS that the entry must have, or nothing is done; 0 for any
/// @param flags 32 bits that have a meaning to clients only; 0 for the codec's flags
/// @param expiresAt time from which the entry is absent; null for never
/// @param keepsExpiry whether the entry keeps its expiry
/// @param durability the durability of the commit; null for the database's default
public record WriteOptions(
        long cas,
        int flags,
        @Nullable Instant expiresAt,
        boolean keepsExpiry,
        @Nullable Durability durability) {
    private static final WriteOptions NONE = new WriteOptions(0, 0, null, false, null);

    /// Any CAS, no flags, no expiry, the database's durability.
    public static WriteOptions none() {
        return NONE;
    }

    /// Writes only if the entry has the CAS `wanted`; 0 for any.
    public WriteOptions ifCas(long wanted) {
        return new WriteOptions(wanted, flags, expiresAt, keepsExpiry, durability);
    }

    /// Sets the entry's flags to the 32 bits `wanted`; 0 for the codec's.
    public WriteOptions withFlags(int wanted) {
        return new WriteOptions(cas, wanted, expiresAt, keepsExpiry, durability);
    }

    /// The entry is absent from `moment` on.
    public WriteOptions expiringAt(Instant moment) {
        return new WriteOptions(cas, flags, moment, false, durability);
    }

    /// The entry is absent after `time`, counted from now by this machine's clock.
    ///
    /// @throws UsageException if that moment is beyond the range of [Instant]
    public WriteOptions expiringIn(Duration time) {
        try {
            return expiringAt(Instant.now().plus(time));
        } catch (DateTimeException | ArithmeticException e) {
            throw new UsageException(
                    "An entry cannot expire so late; choose a shorter time", "time=" + time, e);
        }
    }

    /// The entry keeps its expiry; a new one never expires.
    public WriteOptions keepingExpiry() {
        return new WriteOptions(cas, flags, null, true, durability);
    }

    /// Commits with the durability `wanted`. Refused within a transaction, which has its own.
    public WriteOptions withDurability(Durability wanted) {
        return new WriteOptions(cas, flags, expiresAt, keepsExpiry, wanted);
    }

    /// `moment` in the format of [Change]; null for never.
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

    /// Microseconds since 1970: 1 for moments before, and [Change#NEVER] for moments beyond the range of microseconds.
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
