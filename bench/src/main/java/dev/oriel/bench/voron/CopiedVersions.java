package dev.oriel.bench.voron;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// The article's first design, reimplemented in Java: each page has an immutable array of (transaction, position).
/// Adding a version copies the array with one more pair; removing versions copies the remaining pairs. The key goes
/// with the last pair.
///
/// The article's code goes through a list and copies three times; this one copies once. Pairs are stored in the
/// array itself, as C# structs are.
final class CopiedVersions implements VersionMap {
    private final ConcurrentHashMap<Object, long[]> versions = new ConcurrentHashMap<>();
    private final LongFunction<Object> keyOf;

    /// @param keyOf creates the key of a page
    CopiedVersions(LongFunction<Object> keyOf) {
        this.keyOf = keyOf;
    }

    @Override
    public void setItems(long txid, long[] pages, long[] positions) {
        for (int i = 0; i < pages.length; i++) {
            long position = positions[i];
            versions.compute(keyOf.apply(pages[i]), (page, pairs) -> with(pairs, txid, position));
        }
    }

    private static long[] with(long @Nullable [] pairs, long txid, long position) {
        if (pairs == null) {
            return new long[] {txid, position};
        }
        long[] more = Arrays.copyOf(pairs, pairs.length + 2);
        more[pairs.length] = txid;
        more[pairs.length + 1] = position;
        return more;
    }

    @Override
    public void removeBefore(long txid) {
        versions.forEach((page, pairs) -> {
            if (pairs[0] > txid) {
                return;
            }
            int kept = 2;
            while (kept < pairs.length && pairs[kept] <= txid) {
                kept += 2;
            }
            if (kept == pairs.length) {
                versions.remove(page);
            } else {
                versions.put(page, Arrays.copyOfRange(pairs, kept, pairs.length));
            }
        });
    }

    @Override
    public long get(long page, long snapshot) {
        long[] pairs = versions.get(keyOf.apply(page));
        if (pairs != null) {
            for (int i = pairs.length - 2; i >= 0; i -= 2) {
                if (pairs[i] <= snapshot) {
                    return pairs[i + 1];
                }
            }
        }
        return MISSING;
    }

    @Override
    public long keys() {
        return versions.mappingCount();
    }
}
