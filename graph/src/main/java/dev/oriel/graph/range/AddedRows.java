package dev.oriel.graph.range;

import dev.oriel.graph.memory.LongSet;
import dev.oriel.graph.memory.WeakList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Rows added by a thread's transactions within ranges being read. Their readers must skip them: a traversal that adds
/// a row for each row found would not end.
///
/// A place is a number, for example of a table. A row added at another place costs one lookup in a set. The others
/// are kept until no reader is left that began before them. One transaction after another uses this object, under
/// the transaction's lock.
public final class AddedRows {
    private static final int PURGE_FIRST = 1 << 10;

    private final WeakList<Reading> readings = new WeakList<>(reading -> reading.over);

    /// Places with current or recent readers.
    private final LongSet places = new LongSet();

    /// Moment of addition by row.
    private Map<Object, Long> moments = new HashMap<>();

    private int purgePlacesAt = PURGE_FIRST;
    private int purgeRowsAt = PURGE_FIRST;

    /// Number of rows added so far.
    private long now;

    /// A reader's registration; it lasts until [#end()], or until it is unreachable.
    public final class Reading {
        private final long place;
        private final long since = now;
        private boolean over;

        private Reading(long place) {
            this.place = place;
        }

        /// Whether it is registered with `rows`.
        @SuppressWarnings("ReferenceEquality") // compared by identity
        public boolean isOf(AddedRows rows) {
            return rows == AddedRows.this;
        }

        /// The moment of its begin.
        public long since() {
            return since;
        }

        /// Ends the reading: no rows remain to be read.
        public void end() {
            over = true;
        }
    }

    /// Registers a reader at `place`.
    public Reading read(long place) {
        if (places.size() >= purgePlacesAt) {
            purge();
            purgePlacesAt = Math.max(PURGE_FIRST, 2 * places.size());
        }
        Reading reading = new Reading(place);
        readings.add(reading);
        places.add(place);
        return reading;
    }

    /// Whether rows added at `place` must be recorded.
    public boolean isRead(long place) {
        return places.contains(place);
    }

    /// Records an added row.
    public void add(Object row) {
        if (moments.size() >= purgeRowsAt) {
            purge();
            purgeRowsAt = Math.max(PURGE_FIRST, 2 * moments.size());
        }
        moments.put(row, now++);
    }

    private void purge() {
        List<Reading> live = readings.live();
        places.clear();
        live.forEach(each -> places.add(each.place));
        long first = live.stream().mapToLong(Reading::since).min().orElse(now);
        moments.values().removeIf(moment -> moment < first);
    }

    /// The current moment, which is the number of rows added; later rows were added [#isSince] it.
    public long now() {
        return now;
    }

    public boolean isEmpty() {
        return moments.isEmpty();
    }

    /// Whether `row` was added at `moment` or later.
    public boolean isSince(Object row, long moment) {
        Long added = moments.get(row);
        return added != null && added >= moment;
    }

    /// Ends a transaction.
    ///
    /// @param begun the moment of its begin
    public void end(boolean committed, long begun) {
        if (!committed) {
            moments.values().removeIf(moment -> moment >= begun);
        }
        if (readings.isEmpty()) {
            places.clear();
            if (!moments.isEmpty()) {
                moments = new HashMap<>();
            }
        }
    }
}
