package dev.oriel.graph.range;

import dev.oriel.graph.memory.LongSet;
import dev.oriel.graph.memory.WeakList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The rows that the transactions of a thread add while somebody reads where they come to be, who is not to meet
/// them: a traversal that adds a row for each that it finds would not end.
///
/// Where somebody reads is a number, that of a table, say. A row that comes to be elsewhere costs a look into a set;
/// the others are kept until nobody is left who had begun before them. It is used by one transaction after another,
/// and guarded as they are.
public final class AddedRows {
    private static final int PURGE_FIRST = 1 << 10;

    private final WeakList<Reading> readings = new WeakList<>(reading -> reading.over);

    /// Where somebody reads, or has read not long ago.
    private final LongSet places = new LongSet();

    /// By row: when it was added.
    private Map<Object, Long> moments = new HashMap<>();

    private int purgePlacesAt = PURGE_FIRST;
    private int purgeRowsAt = PURGE_FIRST;

    /// How many rows were added.
    private long now;

    /// Somebody reads, until it ends or nobody holds it any more.
    public final class Reading {
        private final long place;
        private final long since = now;
        private boolean over;

        private Reading(long place) {
            this.place = place;
        }

        /// Whether it is told of what is added to `rows`.
        @SuppressWarnings("ReferenceEquality") // the very rows
        public boolean isOf(AddedRows rows) {
            return rows == AddedRows.this;
        }

        /// When it began.
        public long since() {
            return since;
        }

        /// Nothing is left to be read.
        public void end() {
            over = true;
        }
    }

    /// Somebody begins to read at `place`.
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

    /// Whether rows that come to be at `place` are to be added.
    public boolean isRead(long place) {
        return places.contains(place);
    }

    /// A row came to be.
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

    /// How many rows there are now: those that come later were added [#isSince] this.
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

    /// A transaction is over.
    ///
    /// @param begun when it had begun
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
