package dev.oriel.sql.change;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.KeyBuffer;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowFile;
import dev.oriel.sql.run.FilterOperator;
import dev.oriel.sql.run.LimitOperator;
import dev.oriel.sql.run.Operator;
import dev.oriel.sql.run.ScanOperator;
import dev.oriel.store.Slice;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// The target rows of UPDATE and DELETE. Their keys are kept in memory, and spill to a file beyond the statement's
/// budget.
final class ChangeTarget {
    /// Bytes of keys between two updates of the memory budget: most statements have one key.
    private static final int COUNTED_BYTES = 4 << 10;

    private static final Type.Shape[] KEY = {Type.Shape.BYTES};

    private final Execution execution;
    private final ScanOperator scan;
    private final Operator rows;
    private final KeyBuffer keys = new KeyBuffer();
    private final Slice key = new Slice();
    private final Tuple read = new Tuple(1);
    private QueryMemory.@Nullable Share share;
    private long counted;

    /// File of spilled keys, which precede the keys in memory; null if there are none.
    private @Nullable RowFile file;

    private RowFile.@Nullable Reader reader;
    private int filed;
    private long position;

    ChangeTarget(
            Plan.Scan scan,
            @Nullable Scalar filter,
            Plan.@Nullable Count limit,
            Execution execution) {
        this.execution = execution;
        this.scan = new ScanOperator(scan, execution);
        Operator found = Operator.measured(execution, scan, this.scan);
        if (filter != null) {
            found =
                    Operator.measured(
                            execution, filter, new FilterOperator(found, filter, execution));
        }
        this.rows = limit == null ? found : new LimitOperator(found, limit, execution);
    }

    /// Finds the rows and keeps their keys; returns their number.
    int collect() {
        begin();
        rows.open();
        while (rows.next()) {
            scan.rowKey(key);
            keys.add(key);
            if (keys.bytes() - counted >= COUNTED_BYTES) {
                count();
            }
        }
        rows.close();
        if (file != null) {
            reader = file.reader(execution.memory().blockBytes());
        }
        return filed + keys.count();
    }

    /// Discards the state of a previous run, which may have failed.
    private void begin() {
        keys.clear();
        counted = 0;
        file = null;
        reader = null;
        filed = 0;
        if (share != null) {
            share.begin();
        }
    }

    /// Releases memory and file after a successful run.
    void end() {
        keys.clear();
        if (share != null) {
            share.take(counted);
            counted = 0;
        }
        if (reader != null) {
            reader.close();
            reader = null;
        }
        if (file != null) {
            file.delete();
            file = null;
        }
    }

    private void count() {
        if (share == null) {
            share = execution.memory().share();
        }
        long more = keys.bytes() - counted;
        counted += more;
        if (share.add(more, counted)) {
            putAside(share);
        }
    }

    private void putAside(QueryMemory.Share from) {
        if (file == null) {
            file = new RowFile(from, KEY);
        }
        for (int i = 0; i < keys.count(); i++) {
            execution.poll();
            keys.key(i, key);
            read.setBytes(0, key.toBytes());
            file.append(read);
        }
        filed += keys.count();
        keys.clear();
        from.take(counted);
        counted = 0;
    }

    /// The key of row `i`, valid until the next call. Rows must be requested in order from 0 on, any number of
    /// times.
    Slice key(int i) {
        execution.poll();
        if (i < filed && reader != null) {
            position = reader.read(i == 0 ? 0 : position, read);
            byte[] bytes = read.bytesAt(0);
            return Slice.copyOf(bytes == null ? new byte[0] : bytes);
        }
        keys.key(i - filed, key);
        return key;
    }
}
