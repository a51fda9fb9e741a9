package dev.oriel.sql.rows;

import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.Comparator;

/// A comparator for sorts that may take long: polls for a cancel at intervals.
public final class PolledOrder implements Comparator<Tuple> {
    private static final int POLL_MASK = 0xff;

    private final RowOrder order;
    private final Cancellation cancellation;
    private int compared;

    public PolledOrder(RowOrder order, Cancellation cancellation) {
        this.order = order;
        this.cancellation = cancellation;
    }

    @Override
    public int compare(Tuple a, Tuple b) {
        return compareRows(a, b);
    }

    /// Compares rows of any class.
    public int compareRows(Row a, Row b) {
        if ((++compared & POLL_MASK) == 0) {
            cancellation.poll();
        }
        return order.compareRows(a, b);
    }
}
