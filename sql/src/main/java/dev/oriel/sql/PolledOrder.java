package dev.oriel.sql;

import dev.oriel.table.Tuple;
import java.util.Comparator;

/// An order for sorts that may take long: looks now and then whether the statement was cancelled.
final class PolledOrder implements Comparator<Tuple> {
    private static final int POLL_MASK = 0xff;

    private final RowOrder order;
    private final Execution execution;
    private int compared;

    PolledOrder(RowOrder order, Execution execution) {
        this.order = order;
        this.execution = execution;
    }

    @Override
    public int compare(Tuple a, Tuple b) {
        if ((++compared & POLL_MASK) == 0) {
            execution.poll();
        }
        return order.compareRows(a, b);
    }
}
