package dev.oriel.kv;

import org.jspecify.annotations.Nullable;

/// A range of keys and the direction of a cursor over it. A null bound is open.
///
/// ```java
/// MapRange<Long> lastFirst = MapRange.from(100L).andBelow(200L).reversed();
/// ```
/// @param lower the lower bound; null for none
/// @param lowerInclusive whether the lower bound is part of the range
/// @param upper the upper bound; null for none
/// @param upperInclusive whether the upper bound is part of the range
/// @param descending whether a cursor begins with the greatest key
/// @param <K> the type of the keys
public record MapRange<K>(
        @Nullable K lower,
        boolean lowerInclusive,
        @Nullable K upper,
        boolean upperInclusive,
        boolean descending) {
    /// All keys, the least first.
    public static <K> MapRange<K> all() {
        return new MapRange<>(null, false, null, false, false);
    }

    /// `key` and all greater keys.
    public static <K> MapRange<K> from(K key) {
        return MapRange.<K>all().andFrom(key);
    }

    /// All keys greater than `key`.
    public static <K> MapRange<K> above(K key) {
        return new MapRange<>(key, false, null, false, false);
    }

    /// `key` and all lesser keys.
    public static <K> MapRange<K> to(K key) {
        return MapRange.<K>all().andTo(key);
    }

    /// All keys less than `key`.
    public static <K> MapRange<K> below(K key) {
        return MapRange.<K>all().andBelow(key);
    }

    /// All texts that begin with `prefix`.
    public static MapRange<String> prefix(String prefix) {
        return new MapRange<>(prefix, true, after(prefix), false, false);
    }

    /// All byte strings that begin with `prefix`.
    public static MapRange<byte[]> prefix(byte[] prefix) {
        return new MapRange<>(prefix, true, after(prefix), false, false);
    }

    /// This range with `key` as its lower bound, included.
    public MapRange<K> andFrom(K key) {
        return new MapRange<>(key, true, upper, upperInclusive, descending);
    }

    /// This range with `key` as its upper bound, included.
    public MapRange<K> andTo(K key) {
        return new MapRange<>(lower, lowerInclusive, key, true, descending);
    }

    /// This range with `key` as its upper bound, excluded.
    public MapRange<K> andBelow(K key) {
        return new MapRange<>(lower, lowerInclusive, key, false, descending);
    }

    /// This range in the other direction.
    public MapRange<K> reversed() {
        return new MapRange<>(lower, lowerInclusive, upper, upperInclusive, !descending);
    }

    /// The least text greater than all that begin with `prefix`; null if there is none.
    private static @Nullable String after(String prefix) {
        int end = prefix.length();
        while (end > 0) {
            int last = prefix.codePointBefore(end);
            end -= Character.charCount(last);
            if (last < Character.MAX_CODE_POINT) {
                int next =
                        last + 1 == Character.MIN_SURROGATE
                                ? Character.MAX_SURROGATE + 1
                                : last + 1;
                return prefix.substring(0, end) + Character.toString(next);
            }
        }
        return null;
    }

    /// The least byte string greater than all that begin with `prefix`; null if there is none.
    private static byte @Nullable [] after(byte[] prefix) {
        for (int i = prefix.length - 1; i >= 0; i--) {
            if (prefix[i] != -1) {
                byte[] after = java.util.Arrays.copyOf(prefix, i + 1);
                after[i]++;
                return after;
            }
        }
        return null;
    }
}
