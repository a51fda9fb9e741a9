package dev.oriel.kv;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An entry of a bucket at one moment.
///
/// @param cas version number that grows with each change of the entry
/// @param expiresAt time from which the entry is absent; null for never
/// @param <T> the type of the value
public record Entry<T>(String key, T value, int flags, long cas, @Nullable Instant expiresAt) {
    static @Nullable Instant instant(long micros) {
        return micros == Change.NEVER
                ? null
                : Instant.ofEpochSecond(
                        Math.floorDiv(micros, 1_000_000L),
                        Math.floorMod(micros, 1_000_000L) * 1_000L);
    }
}
