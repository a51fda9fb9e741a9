package dev.oriel.store.sort;

import java.util.Arrays;

/// Sorts the entries of a buffer by key; entries with one key stay in order of arrival. Large buffers use a radix
/// sort on the first eight bytes of the keys. It takes eleven-bit digits from the lowest on and skips bits that are
/// the same in all. Runs of equal first bytes are sorted again afterwards. Small buffers use a merge sort. Entries
/// that came in order cost one comparison each.
final class EntryOrder {
    private static final int DIGIT_BITS = 11;
    private static final int DIGITS = 1 << DIGIT_BITS;

    /// Number of entries from which counting digits pays off.
    private static final int MANY = 2_000;

    private final EntryBuffer buffer;
    private final int count;

    private EntryOrder(EntryBuffer buffer) {
        this.buffer = buffer;
        this.count = buffer.count();
    }

    /// The indexes of the entries of `buffer`, sorted by key.
    ///
    /// @param heads the first bytes of their keys, as numbers whose unsigned order is that of the bytes
    static int[] of(EntryBuffer buffer, long[] heads) {
        EntryOrder sorting = new EntryOrder(buffer);
        int[] order = new int[sorting.count];
        Arrays.setAll(order, i -> i);
        if (sorting.isOrdered(order, 0, sorting.count)) {
            return order;
        }
        if (sorting.count < MANY) {
            sorting.merge(order, order.clone(), 0, sorting.count);
            return order;
        }
        return sorting.byHeads(heads, order);
    }

    private boolean isOrdered(int[] order, int low, int high) {
        for (int i = low + 1; i < high; i++) {
            if (buffer.compare(order[i - 1], order[i]) > 0) {
                return false;
            }
        }
        return true;
    }

    private int[] byHeads(long[] heads, int[] identity) {
        long differing = 0;
        for (int i = 1; i < count; i++) {
            differing |= heads[i] ^ heads[0];
        }
        long[] sorted = Arrays.copyOf(heads, count);
        long[] otherSorted = new long[count];
        int[] order = identity;
        int[] other = new int[count];
        int shift = 0;
        while (shift < Long.SIZE && differing >>> shift != 0) {
            shift += Long.numberOfTrailingZeros(differing >>> shift);
            int[] places = places(sorted, shift);
            for (int i = 0; i < count; i++) {
                int place = places[(int) (sorted[i] >>> shift) & (DIGITS - 1)]++;
                otherSorted[place] = sorted[i];
                other[place] = order[i];
            }
            long[] sortedNow = otherSorted;
            otherSorted = sorted;
            sorted = sortedNow;
            int[] orderNow = other;
            other = order;
            order = orderNow;
            shift += DIGIT_BITS;
        }
        sortAlike(sorted, order, other);
        return order;
    }

    /// Index of the first entry of each digit.
    private int[] places(long[] heads, int shift) {
        int[] places = new int[DIGITS];
        for (int i = 0; i < count; i++) {
            places[(int) (heads[i] >>> shift) & (DIGITS - 1)]++;
        }
        int next = 0;
        for (int i = 0; i < DIGITS; i++) {
            int here = places[i];
            places[i] = next;
            next += here;
        }
        return places;
    }

    /// Sorts runs of entries with equal first bytes.
    private void sortAlike(long[] sorted, int[] order, int[] work) {
        int low = 0;
        while (low < count) {
            int high = low + 1;
            while (high < count && sorted[high] == sorted[low]) {
                high++;
            }
            if (!isOrdered(order, low, high)) {
                merge(order, work, low, high);
            }
            low = high;
        }
    }

    /// Sorts a part by a bottom-up merge sort.
    private void merge(int[] order, int[] work, int begin, int end) {
        int[] from = order;
        int[] to = work;
        for (int width = 1; width < end - begin; width *= 2) {
            for (int low = begin; low < end; low += 2 * width) {
                int middle = Math.min(low + width, end);
                int high = Math.min(middle + width, end);
                merge(from, to, low, middle, high);
            }
            int[] swapped = from;
            from = to;
            to = swapped;
        }
        System.arraycopy(from, begin, order, begin, end - begin);
    }

    private void merge(int[] from, int[] to, int low, int middle, int high) {
        if (middle == high || buffer.compare(from[middle - 1], from[middle]) <= 0) {
            System.arraycopy(from, low, to, low, high - low);
            return;
        }
        int first = low;
        int second = middle;
        for (int i = low; i < high; i++) {
            boolean takeFirst =
                    first < middle
                            && (second == high || buffer.compare(from[first], from[second]) <= 0);
            to[i] = takeFirst ? from[first++] : from[second++];
        }
    }
}
