package dev.oriel.sql;

import dev.oriel.store.Slice;
import org.jspecify.annotations.Nullable;

/// What UPDATE and DELETE share: the rows they are about.
final class ChangeTarget {
    private final Execution execution;
    private final ScanOperator scan;
    private final Operator rows;
    private final KeyBuffer keys = new KeyBuffer();
    private final Slice key = new Slice();

    ChangeTarget(Plan.Scan scan, @Nullable Scalar filter, Execution execution) {
        this.execution = execution;
        this.scan = new ScanOperator(scan, execution);
        Operator found = execution.measured(scan, this.scan);
        this.rows =
                filter == null
                        ? found
                        : execution.measured(filter, new FilterOperator(found, filter, execution));
    }

    /// Finds the rows and keeps their keys; returns how many.
    int collect() {
        keys.clear();
        rows.open();
        while (rows.next()) {
            scan.rowKey(key);
            keys.add(key);
        }
        rows.close();
        return keys.count();
    }

    /// The key of row `i`, until the next call.
    Slice key(int i) {
        execution.poll();
        keys.key(i, key);
        return key;
    }
}
