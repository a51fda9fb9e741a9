package dev.oriel.sql.run;

import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.sql.rows.WideRow;
import dev.oriel.table.value.Row;
import org.jspecify.annotations.Nullable;

/// Hash join. Rows come in the order of the probe side; unmatched build rows of a FULL join come last. If the hash
/// table of an inner join is empty, the probe side is not read.
public final class HashOperator implements Operator {
    private final Operator probe;
    private final HashBuild build;
    private final BoundFrom.Kind kind;
    private final Scalar[] keys;
    private final @Nullable Scalar rest;
    private final int[] probeSlots;
    private final RowKey sought;
    private final WideRow wide;
    private final Frame frame;
    private final Execution execution;
    private final boolean keeps;
    private boolean built;

    /// The run in which the kept table was built.
    private long keptOf = -1;

    private boolean standing;
    private boolean matched;
    private boolean probed;

    /// @param keeps whether the table of one opening serves the others of a run
    HashOperator(
            Join.Hash plan,
            Operator probe,
            HashBuild build,
            WideRow wide,
            Execution execution,
            boolean keeps) {
        this.keeps = keeps;
        this.probe = probe;
        this.build = build;
        this.kind = plan.kind();
        this.keys = plan.probeKeys().toArray(Scalar[]::new);
        this.rest = plan.rest();
        this.probeSlots = plan.probeSlots().stream().mapToInt(Integer::intValue).toArray();
        this.sought = new RowKey(Scalar.types(plan.probeKeys()));
        this.wide = wide;
        this.frame = new Frame(execution, wide);
        this.execution = execution;
    }

    @Override
    public void open() {
        built = false;
        standing = false;
        probed = false;
    }

    @Override
    public boolean next() {
        if (!built) {
            if (keptOf != execution.run()) {
                collect();
            }
            built = true;
            if (kind == BoundFrom.Kind.INNER && build.isEmpty()) {
                probed = true;
            } else {
                probe.open();
            }
        }
        while (!probed) {
            if (standing && nextOfChain()) {
                return true;
            }
            if (standing && !matched && kind != BoundFrom.Kind.INNER) {
                standing = false;
                wide.clear(build.slots());
                return true;
            }
            standing = probe.next();
            if (standing) {
                matched = false;
                seek();
            } else {
                startUnmatched();
            }
        }
        execution.poll();
        return kind == BoundFrom.Kind.FULL && build.nextUnmatched();
    }

    private void collect() {
        if (keeps) {
            keptOf = -1;
            execution.atEnd(this::forget);
        }
        build.collect();
        keptOf = keeps ? execution.run() : -1;
    }

    private void forget() {
        keptOf = -1;
        build.close();
    }

    private void seek() {
        if (build.isByLong()) {
            long key = keys[0].evalLong(frame);
            if (frame.isNull) {
                build.seekNothing();
            } else {
                build.seek(key, sought);
            }
            return;
        }
        for (int i = 0; i < keys.length; i++) {
            if (!keys[i].fill(sought, i, frame)) {
                build.seekNothing();
                return;
            }
        }
        build.seek(sought);
    }

    private boolean nextOfChain() {
        while (build.nextOfChain()) {
            execution.poll();
            if (rest == null || rest.evalTruth(frame) == 1) {
                matched = true;
                build.matched();
                return true;
            }
        }
        return false;
    }

    private void startUnmatched() {
        probed = true;
        if (kind == BoundFrom.Kind.FULL) {
            build.startUnmatched();
            wide.clear(probeSlots);
        }
    }

    @Override
    public Row row() {
        return wide;
    }

    @Override
    public long memoryBytes() {
        return build.share().most();
    }

    @Override
    public long putAsideBytes() {
        return build.share().putAside();
    }

    @Override
    public void close() {
        probe.close();
        if (!keeps) {
            build.close();
        }
    }
}
