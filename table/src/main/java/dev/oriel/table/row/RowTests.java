package dev.oriel.table.row;

import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Row;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A conjunction of predicates that a cursor tests on the bytes of a row before it returns it. They compare
/// columns with values, with one another, and texts with patterns. NULL meets none of them.
///
/// The cheapest come first. Made once, used by one cursor at a time.
public final class RowTests {
    public static final int FAILS = 0;
    static final int HOLDS = 1;

    /// Result for a decimal of another scale than expected, whose digits decide nothing.
    public static final int UNDECIDED = 2;

    /// Rows passed over between two polls.
    private static final int POLLED = 256;

    private final Runnable poll;
    private final List<Test> added = new ArrayList<>();
    private Test[] tests = {};
    private int passed;

    /// @param poll is run periodically while rows are skipped; an exception that it throws ends the search
    public RowTests(Runnable poll) {
        this.poll = poll;
    }

    private sealed interface Test {
        int of(StoredRow row);

        /// Rank: tests of lower cost come first.
        int cost();
    }

    /// The number in `column` is in a range, or `outside` of it.
    public RowTests range(int column, long least, long most, boolean outside) {
        return add(new LongRange(column, least, most, outside));
    }

    /// The decimal in `column`, as digits at `scale`, is in a range, or `outside` of it.
    public RowTests range(int column, int scale, long least, long most, boolean outside) {
        return add(new DigitsRange(column, scale, least, most, outside));
    }

    /// The number in `column` is less than the one in `other`, equal to it, or greater, as far as these flags are
    /// set.
    public RowTests order(int column, int other, boolean less, boolean equal, boolean greater) {
        return add(new LongOrder(column, other, less, equal, greater));
    }

    /// The number in `column` is one of `values`.
    public RowTests among(int column, long[] values) {
        return add(new LongAmong(column, values.clone()));
    }

    /// The text in `column` is one of `values`, or `outside` of them. None may have a surrogate without its
    /// partner.
    public RowTests among(int column, List<String> values, boolean outside) {
        return add(new TextAmong(column, bytes(values), outside));
    }

    /// The text in `column` begins with the first of `parts`, contains the others one after the other, and ends
    /// with the last; or it does not, if `outside`.
    public RowTests parts(int column, List<String> parts, boolean outside) {
        return add(new TextParts(column, bytes(parts), outside));
    }

    private static byte[][] bytes(List<String> texts) {
        return texts.stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    private RowTests add(Test test) {
        Test joined = test;
        for (int i = 0; i < added.size(); i++) {
            Test both = joined(added.get(i), test);
            if (both != null) {
                added.remove(i);
                joined = both;
                break;
            }
        }
        int at = 0;
        while (at < added.size() && added.get(at).cost() <= joined.cost()) {
            at++;
        }
        added.add(at, joined);
        tests = added.toArray(Test[]::new);
        return this;
    }

    /// The conjunction of two tests as one test; null if there is none.
    private static @Nullable Test joined(Test a, Test b) {
        if (a instanceof LongRange x
                && b instanceof LongRange y
                && x.column == y.column
                && !x.outside
                && !y.outside) {
            return new LongRange(
                    x.column, Math.max(x.least, y.least), Math.min(x.most, y.most), false);
        }
        if (a instanceof DigitsRange x
                && b instanceof DigitsRange y
                && x.column == y.column
                && x.scale == y.scale
                && !x.outside
                && !y.outside) {
            return new DigitsRange(
                    x.column, x.scale, Math.max(x.least, y.least), Math.min(x.most, y.most), false);
        }
        return null;
    }

    /// Whether all hold for `row`: [#FAILS], [#HOLDS] or [#UNDECIDED].
    public int of(StoredRow row) {
        int all = HOLDS;
        for (Test test : tests) {
            int one = one(test, row);
            if (one == FAILS) {
                if (++passed == POLLED) {
                    passed = 0;
                    poll.run();
                }
                return FAILS;
            }
            all = Math.max(all, one);
        }
        return all;
    }

    /// The common classes are tested first: a call with six possible targets is not inlined.
    private static int one(Test test, StoredRow row) {
        if (test instanceof LongRange range) {
            return range.of(row);
        }
        if (test instanceof DigitsRange range) {
            return range.of(row);
        }
        return test.of(row);
    }

    private record LongRange(int column, long least, long most, boolean outside) implements Test {
        @Override
        public int of(StoredRow row) {
            if (row.isNull(column)) {
                return FAILS;
            }
            long value = row.longAt(column);
            return (value >= least && value <= most) != outside ? HOLDS : FAILS;
        }

        @Override
        public int cost() {
            return 0;
        }
    }

    private record LongOrder(int column, int other, boolean less, boolean equal, boolean greater)
            implements Test {
        @Override
        public int of(StoredRow row) {
            if (row.isNull(column) || row.isNull(other)) {
                return FAILS;
            }
            int order = Long.compare(row.longAt(column), row.longAt(other));
            return (order < 0 ? less : order == 0 ? equal : greater) ? HOLDS : FAILS;
        }

        @Override
        public int cost() {
            return 1;
        }
    }

    private record DigitsRange(int column, int scale, long least, long most, boolean outside)
            implements Test {
        @Override
        public int of(StoredRow row) {
            if (row.isNull(column)) {
                return FAILS;
            }
            long value = row.digitsAt(column, scale);
            if (value == Row.NO_DIGITS) {
                return UNDECIDED;
            }
            return (value >= least && value <= most) != outside ? HOLDS : FAILS;
        }

        @Override
        public int cost() {
            return 2;
        }
    }

    private static final class LongAmong implements Test {
        private final int column;
        private final long[] values;

        private LongAmong(int column, long[] values) {
            this.column = column;
            this.values = values;
        }

        @Override
        public int of(StoredRow row) {
            if (row.isNull(column)) {
                return FAILS;
            }
            long value = row.longAt(column);
            for (long one : values) {
                if (one == value) {
                    return HOLDS;
                }
            }
            return FAILS;
        }

        @Override
        public int cost() {
            return 3;
        }
    }

    private static final class TextAmong implements Test {
        private final int column;
        private final byte[][] values;
        private final boolean outside;

        private TextAmong(int column, byte[][] values, boolean outside) {
            this.column = column;
            this.values = values;
            this.outside = outside;
        }

        @Override
        public int of(StoredRow row) {
            if (row.isNull(column)) {
                return FAILS;
            }
            StoredRow held = row.holding(column);
            int length = held.length(column);
            for (byte[] value : values) {
                if (value.length == length
                        && isAt(held.segment(), held.start(column), value, length)) {
                    return outside ? FAILS : HOLDS;
                }
            }
            return outside ? HOLDS : FAILS;
        }

        @Override
        public int cost() {
            return 4;
        }
    }

    private static final class TextParts implements Test {
        private final int column;
        private final byte[][] parts;
        private final boolean outside;

        private TextParts(int column, byte[][] parts, boolean outside) {
            this.column = column;
            this.parts = parts;
            this.outside = outside;
        }

        @Override
        public int of(StoredRow row) {
            if (row.isNull(column)) {
                return FAILS;
            }
            StoredRow held = row.holding(column);
            boolean found = matches(held.segment(), held.start(column), held.length(column));
            return found != outside ? HOLDS : FAILS;
        }

        /// No character of UTF-8 begins within another, so bytes can be searched in place of characters.
        private boolean matches(MemorySegment segment, long start, int length) {
            int last = parts.length - 1;
            byte[] first = parts[0];
            byte[] end = parts[last];
            if (last == 0) {
                return length == first.length && isAt(segment, start, first, length);
            }
            if (length < first.length + end.length
                    || !isAt(segment, start, first, first.length)
                    || !isAt(segment, start + length - end.length, end, end.length)) {
                return false;
            }
            long at = start + first.length;
            long most = start + length - end.length;
            for (int i = 1; i < last; i++) {
                at = find(segment, at, most, parts[i]);
                if (at < 0) {
                    return false;
                }
                at += parts[i].length;
            }
            return true;
        }

        @Override
        public int cost() {
            return 5 + parts.length;
        }
    }

    private static boolean isAt(MemorySegment segment, long at, byte[] value, int length) {
        for (int i = 0; i < length; i++) {
            if (segment.get(NativeBuffer.BYTE, at + i) != value[i]) {
                return false;
            }
        }
        return true;
    }

    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;

    /// First place of `sought` between `from` and `end`; -1 if there is none. Eight places at a time are searched
    /// for its first byte (Hacker's Delight, 6-1: the lowest byte that is found is one).
    private static long find(MemorySegment segment, long from, long end, byte[] sought) {
        int length = sought.length;
        if (length == 0) {
            return from;
        }
        long most = end - length; // the last place where it may begin
        long pattern = (sought[0] & 0xFF) * ONES;
        long at = from;
        for (; at + Long.BYTES <= end && at <= most; at += Long.BYTES) {
            long differing = segment.get(NativeBuffer.LONG, at) ^ pattern;
            long found = (differing - ONES) & ~differing & TOPS;
            while (found != 0) {
                long place = at + (Long.numberOfTrailingZeros(found) >>> 3);
                if (place <= most && isAt(segment, place, sought, length)) {
                    return place;
                }
                found &= found - 1;
            }
        }
        for (; at <= most; at++) {
            if (isAt(segment, at, sought, length)) {
                return at;
            }
        }
        return -1;
    }
}
