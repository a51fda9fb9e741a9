package dev.oriel.sql.rows;

import dev.oriel.sql.value.Order;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Ranges of one key, sorted and coalesced if they touch or overlap. The object is filled again and again.
///
/// A bound is a cut between keys: some leading values, and whether the cut is before or after all keys that begin
/// with them. So cuts of any number of values have one order.
public final class KeyRanges {
    private final Type.Shape[] shapes;
    private final List<KeyOrder> orders;
    private final List<KeyRange> ranges = new ArrayList<>();
    private int count;

    /// Ranges of a key whose columns have the types `types`.
    ///
    /// @param orders of the columns among the entries; empty if all are ASC
    public KeyRanges(List<Type> types, List<KeyOrder> orders) {
        this.shapes = Typing.shapes(types);
        this.orders = orders;
    }

    public void clear() {
        count = 0;
    }

    /// The next range to fill; [#add] makes it one of the ranges.
    public KeyRange free() {
        if (count == ranges.size()) {
            ranges.add(new KeyRange(shapes.length));
        }
        return ranges.get(count);
    }

    public void add() {
        count++;
    }

    public int count() {
        return count;
    }

    public KeyRange range(int i) {
        return ranges.get(i);
    }

    /// Sorts and coalesces the ranges; to be called after the last one.
    public void merge() {
        Comparator<KeyRange> byLower =
                (a, b) ->
                        compare(
                                a.lower(),
                                a.lowerColumns(),
                                low(a),
                                b.lower(),
                                b.lowerColumns(),
                                low(b));
        ranges.subList(0, count).sort(byLower);
        int last = -1;
        for (int i = 0; i < count; i++) {
            KeyRange range = ranges.get(i);
            if (isEmpty(range)) {
                continue;
            }
            KeyRange before = last < 0 ? null : ranges.get(last);
            if (before != null && touches(before, range)) {
                if (compareUpper(before, range) < 0) {
                    copyUpper(range, before);
                }
            } else {
                last++;
                ranges.set(i, ranges.get(last));
                ranges.set(last, range);
            }
        }
        count = last + 1;
    }

    /// The side of a lower bound: an inclusive bound is before the keys that begin with it.
    private static int low(KeyRange range) {
        return range.lowerColumns() == 0 || range.lowerInclusive() ? -1 : 1;
    }

    private static int high(KeyRange range) {
        return range.upperColumns() == 0 || range.upperInclusive() ? 1 : -1;
    }

    private boolean isEmpty(KeyRange range) {
        return compare(
                        range.lower(),
                        range.lowerColumns(),
                        low(range),
                        range.upper(),
                        range.upperColumns(),
                        high(range))
                >= 0;
    }

    private boolean touches(KeyRange before, KeyRange range) {
        return compare(
                        before.upper(),
                        before.upperColumns(),
                        high(before),
                        range.lower(),
                        range.lowerColumns(),
                        low(range))
                >= 0;
    }

    private int compareUpper(KeyRange a, KeyRange b) {
        return compare(a.upper(), a.upperColumns(), high(a), b.upper(), b.upperColumns(), high(b));
    }

    private void copyUpper(KeyRange from, KeyRange to) {
        for (int i = 0; i < from.upperColumns(); i++) {
            to.upper().copy(i, from.upper(), i, shapes[i]);
        }
        to.to(from.upperColumns(), from.upperInclusive());
    }

    private int compare(Tuple a, int columnsA, int sideA, Tuple b, int columnsB, int sideB) {
        for (int i = 0; i < Math.min(columnsA, columnsB); i++) {
            boolean nullA = a.isNull(i);
            boolean nullB = b.isNull(i);
            KeyOrder kept = i < orders.size() ? orders.get(i) : KeyOrder.ASC;
            int order;
            if (nullA || nullB) {
                order = Boolean.compare(nullA, nullB);
                order = kept.nullsFirst() ? -order : order;
            } else {
                order = Order.compare(shapes[i], a, i, b, i);
                order = kept.descending() ? -order : order;
            }
            if (order != 0) {
                return order;
            }
        }
        if (columnsA == columnsB) {
            return Integer.compare(sideA, sideB);
        }
        return columnsA < columnsB ? sideA : -sideB;
    }
}
