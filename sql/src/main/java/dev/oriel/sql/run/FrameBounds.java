package dev.oriel.sql.run;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.WindowCall;
import dev.oriel.sql.syntax.Expression.EdgeKind;
import dev.oriel.sql.syntax.Expression.Exclusion;
import dev.oriel.sql.value.Decimals;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Order;
import dev.oriel.sql.value.Temporals;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.ZonedTime;
import dev.oriel.table.value.IntervalValue;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The window frame of a row: from `low` to before `high`, without the excluded rows. The frame has at most three
/// parts: the rows before the excluded ones, the row itself if only its peers are excluded, and the rows after
/// them.
final class FrameBounds {
    private final WindowCall call;
    private final WindowCall.Frame plan;
    private final int key;
    private final Frame frame;
    private final Tuple offset = new Tuple(1);
    private @Nullable WindowPartition partition;
    private int row;
    private int low;
    private int high;

    /// Last edges of a RANGE with an offset.
    private int startedAt;

    private int endedAt;

    /// Start of each part, followed by its end.
    private final int[] edges = new int[6];

    private int parts;

    /// @param key position among the keys of the value that a RANGE frame measures
    /// @param frame that offsets are evaluated on
    FrameBounds(WindowCall call, int key, Frame frame) {
        this.call = call;
        this.plan = call.window().frame();
        this.key = key;
        this.frame = frame;
    }

    void start(WindowPartition next) {
        partition = next;
        startedAt = 0;
        endedAt = 0;
    }

    private WindowPartition partition() {
        if (partition == null) {
            throw new IllegalStateException("no partition has been started");
        }
        return partition;
    }

    /// Moves to row `i`.
    void at(int i) {
        row = i;
        low = edge(plan.start(), true);
        high = Math.max(edge(plan.end(), false), low);
        parts = 0;
        WindowPartition rows = partition();
        switch (plan.exclusion()) {
            case NO_OTHERS -> part(low, high);
            case CURRENT_ROW -> {
                part(low, i);
                part(i + 1, high);
            }
            case GROUP -> {
                part(low, rows.firstPeer(i));
                part(rows.endOfPeers(i), high);
            }
            case TIES -> {
                part(low, rows.firstPeer(i));
                part(i, i + 1);
                part(rows.endOfPeers(i), high);
            }
        }
    }

    /// Adds a part, clamped to the bounds.
    private void part(int from, int to) {
        edges[2 * parts] = Math.clamp(from, low, high);
        edges[2 * parts + 1] = Math.clamp(to, low, high);
        parts++;
    }

    int low() {
        return low;
    }

    int high() {
        return high;
    }

    /// Whether the frame may exclude rows within its bounds.
    boolean excludes() {
        return plan.exclusion() != Exclusion.NO_OTHERS;
    }

    /// Number of parts, some of which may be empty.
    int parts() {
        return parts;
    }

    /// First row of a part.
    int from(int part) {
        return edges[2 * part];
    }

    /// The row after the last one of a part.
    int to(int part) {
        return edges[2 * part + 1];
    }

    /// @param start whether to find the first row, or the row after the last
    private int edge(WindowCall.Edge edge, boolean start) {
        WindowPartition rows = partition();
        return switch (edge.kind()) {
            case UNBOUNDED_PRECEDING -> 0;
            case UNBOUNDED_FOLLOWING -> rows.count();
            case CURRENT_ROW ->
                    switch (plan.unit()) {
                        case ROWS -> start ? row : row + 1;
                        case RANGE, GROUPS -> start ? rows.firstPeer(row) : rows.endOfPeers(row);
                    };
            case PRECEDING, FOLLOWING ->
                    switch (plan.unit()) {
                        case ROWS -> {
                            long at = row + distance(edge) + (start ? 0 : 1);
                            yield Math.clamp(at, 0, rows.count());
                        }
                        case GROUPS -> {
                            long group = rows.group(row) + distance(edge) + (start ? 0 : 1);
                            yield rows.first(Math.clamp(group, 0, rows.groups()));
                        }
                        case RANGE -> range(edge, start);
                    };
        };
    }

    /// The offset in rows or groups: negative before the row.
    private long distance(WindowCall.Edge edge) {
        Scalar scalar = offset(edge);
        long count = scalar.evalLong(frame);
        checkDistance(frame.isNull || count < 0);
        long bounded = Math.min(count, Integer.MAX_VALUE);
        return edge.kind() == EdgeKind.PRECEDING ? -bounded : bounded;
    }

    private static Scalar offset(WindowCall.Edge edge) {
        if (edge.offset() == null) {
            throw new IllegalStateException(edge + " has no distance");
        }
        return edge.offset();
    }

    private SqlException noDistance(boolean isNull) {
        return isNull
                ? call.place().error(Kind.NULL_VALUE, "The distance of a frame cannot be NULL")
                : call.place()
                        .error(Kind.FRAME_DISTANCE, "The distance of a frame cannot be negative");
    }

    private int range(WindowCall.Edge edge, boolean start) {
        WindowPartition rows = partition();
        AggregateCall.SortTerm term = call.window().order().getFirst();
        if (rows.keys(row).isNull(key)) {
            return start ? rows.firstPeer(row) : rows.endOfPeers(row);
        }
        boolean before = edge.kind() == EdgeKind.PRECEDING;
        store(edge, term.scalar().type(), before != term.descending(), start != term.descending());
        int found = sought(rows, term, start, start ? startedAt : endedAt);
        if (start) {
            startedAt = found;
        } else {
            endedAt = found;
        }
        return found;
    }

    /// The first row at or after the start edge, or after the end edge. A galloping search from the previous row's
    /// edge, which is mostly a few rows away, is followed by a binary search.
    private int sought(
            WindowPartition rows, AggregateCall.SortTerm term, boolean start, int lastTime) {
        int from = lastTime;
        int to = rows.count();
        if (from > 0 && !isBefore(rows.keys(from - 1), term, start)) {
            to = from - 1;
            from = 0;
        } else {
            for (int step = 1; step < to - from; step *= 2) {
                if (!isBefore(rows.keys(from + step - 1), term, start)) {
                    to = from + step - 1;
                    break;
                }
                from += step;
            }
        }
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (isBefore(rows.keys(middle), term, start)) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    private boolean isBefore(Row keys, AggregateCall.SortTerm term, boolean start) {
        if (keys.isNull(key)) {
            return term.nullsFirst();
        }
        int order = Order.compare(term.scalar().type().shape(), keys, key, offset, 0);
        order = term.descending() ? -order : order;
        return start ? order < 0 : order <= 0;
    }

    /// Writes the value at the edge into `offset`: the row's own value minus or plus the frame's offset. An infinite
    /// distance from the infinite value on the other side spans all numbers.
    ///
    /// @param up whether the rows above the edge belong to the frame; then a result between two values is rounded up
    private void store(WindowCall.Edge edge, Type type, boolean less, boolean up) {
        Row keys = partition().keys(row);
        if (edge.span() != null) {
            Intervals.Span given = edge.span();
            Intervals.Span span = less ? given.negated() : given;
            if (type.name() == Type.Name.INTERVAL) {
                offset.setBytes(0, shifted(keys.bytesAt(key), span, up));
                return;
            }
            offset.setLong(0, shifted(keys.longAt(key), type, span, up, frame.zone()));
            return;
        }
        Scalar scalar = offset(edge);
        switch (type.shape()) {
            case LONG -> {
                long distance = scalar.evalLong(frame);
                checkDistance(frame.isNull || distance < 0);
                long value = keys.longAt(key);
                long at = less ? value - distance : value + distance;
                boolean beyond = less ? at > value : at < value;
                offset.setLong(0, !beyond ? at : less ? Long.MIN_VALUE : Long.MAX_VALUE);
            }
            case DOUBLE -> {
                double distance = scalar.evalDouble(frame);
                checkDistance(frame.isNull || !(distance >= 0));
                double value = keys.doubleAt(key);
                double at = less ? value - distance : value + distance;
                boolean all = Double.isNaN(at) && !Double.isNaN(value);
                offset.setDouble(
                        0, !all ? at : up ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
            }
            case DECIMAL -> {
                BigDecimal distance = scalar.evalDecimal(frame);
                if (distance == null || distance.signum() < 0 || NonFinite.isNaN(distance)) {
                    throw noDistance(distance == null);
                }
                BigDecimal value = keys.decimalAt(key);
                if (value != null) {
                    BigDecimal at =
                            less
                                    ? Decimals.difference(value, distance)
                                    : Decimals.sum(value, distance);
                    boolean all = NonFinite.isNaN(at) && !NonFinite.isNaN(value);
                    offset.setDecimal(
                            0, !all ? at : up ? NonFinite.NEGATIVE_INFINITY : NonFinite.INFINITY);
                }
            }
            case TEXT, FOLDED, BYTES -> throw new IllegalStateException("no distance of " + type);
        }
    }

    private void checkDistance(boolean wrong) {
        if (wrong) {
            throw noDistance(frame.isNull);
        }
    }

    /// The least stored interval of the length that `bytes` and `span` have together, or the greatest one. Lengths
    /// decide, as equally long intervals differ here.
    private static byte[] shifted(byte @Nullable [] bytes, Intervals.Span span, boolean up) {
        byte[] edge = new byte[IntervalValue.BYTES];
        int known = 0;
        boolean high = !up;
        try {
            Intervals.Span from = Intervals.span(Objects.requireNonNull(bytes));
            byte[] sum =
                    Intervals.bytes(
                            new Intervals.Span(
                                    from.months() + span.months(),
                                    from.days() + span.days(),
                                    Math.addExact(from.micros(), span.micros())));
            known = IntervalValue.LENGTH_BYTES;
            System.arraycopy(sum, 0, edge, 0, known);
        } catch (ArithmeticException beyond) {
            high = !span.isNegative();
        }
        Arrays.fill(edge, known, edge.length, (byte) (high ? 0xFF : 0));
        return edge;
    }

    /// A time of day moves beyond midnight, which no time reaches. A date moves by whole days only; a remainder would lie between two dates.
    private static long shifted(long value, Type type, Intervals.Span span, boolean up, Zone zone) {
        try {
            if (type.name() == Type.Name.TIMESTAMP_TZ) {
                return Intervals.later(value, span, zone);
            }
            if (type.name() == Type.Name.TIME) {
                return Math.addExact(value, span.micros());
            }
            if (type.name() == Type.Name.TIME_TZ) {
                return ZonedTime.later(value, span.micros());
            }
            if (type.name() != Type.Name.DATE) {
                return Intervals.later(value, span);
            }
            if (NonFinite.isDay(value)) {
                return value;
            }
            long day = LocalDate.ofEpochDay(value).plusMonths(span.months()).toEpochDay();
            long days = Math.addExact(day, span.days());
            boolean whole = Math.floorMod(span.micros(), Temporals.MICROS_PER_DAY) == 0;
            return Math.addExact(days, Math.floorDiv(span.micros(), Temporals.MICROS_PER_DAY))
                    + (whole || !up ? 0 : 1);
        } catch (ArithmeticException | DateTimeException beyond) {
            return span.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
