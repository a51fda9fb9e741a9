package dev.oriel.sql.rows;

import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import java.util.Comparator;

/// An order for sorts that may take long: looks now and then whether the statement was cancelled.
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

    /// The same of any rows.
    public int compareRows(Row a, Row b) {
        if ((++compared & POLL_MASK) == 0) {
            cancellation.poll();
        }
        return order.compareRows(a, b);
    }
}
