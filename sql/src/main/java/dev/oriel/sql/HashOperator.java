package dev.oriel.sql;

import dev.oriel.table.Row;
import org.jspecify.annotations.Nullable;

/// Joins by a table of hashed keys in memory. Rows come in the order of the probe side; those of a
/// FULL join that only the other side has come last.
final class HashOperator implements Operator {
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
    private HashBuild.@Nullable Entry next;
    private boolean built;
    private boolean standing;
    private boolean matched;
    private boolean probed;

    HashOperator(
            Join.Hash plan, Operator probe, HashBuild build, WideRow wide, Execution execution) {
        this.probe = probe;
        this.build = build;
        this.kind = plan.kind();
        this.keys = plan.probeKeys().toArray(Scalar[]::new);
        this.rest = plan.rest();
        this.probeSlots = plan.probeSlots().stream().mapToInt(Integer::intValue).toArray();
        this.sought = new RowKey(plan.probeKeys().stream().map(Scalar::type).toList());
        this.wide = wide;
        this.frame = new Frame(execution, wide);
        this.execution = execution;
    }

    @Override
    public void open() {
        built = false;
        standing = false;
        probed = false;
        next = null;
    }

    @Override
    public boolean next() {
        if (!built) {
            build.collect();
            probe.open();
            built = true;
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
                next = find();
            } else {
                startUnmatched();
            }
        }
        return nextUnmatched();
    }

    private HashBuild.@Nullable Entry find() {
        for (int i = 0; i < keys.length; i++) {
            if (!keys[i].store(sought.values(), i, frame)) {
                return null;
            }
        }
        sought.rehash();
        return build.find(sought);
    }

    private boolean nextOfChain() {
        while (next != null) {
            execution.poll();
            HashBuild.Entry entry = next;
            next = entry.nextOfChain();
            build.show(entry);
            if (rest == null || rest.evalTruth(frame) == 1) {
                matched = true;
                entry.matched = true;
                return true;
            }
        }
        return false;
    }

    private void startUnmatched() {
        probed = true;
        next = build.first();
        if (kind == BoundFrom.Kind.FULL) {
            wide.clear(probeSlots);
        }
    }

    private boolean nextUnmatched() {
        while (next != null) {
            HashBuild.Entry entry = next;
            next = entry.nextOfAll();
            if (!entry.matched) {
                build.show(entry);
                return true;
            }
        }
        return false;
    }

    @Override
    public Row row() {
        return wide;
    }

    @Override
    public long memoryBytes() {
        return build.memoryBytes();
    }

    @Override
    public void close() {
        next = null;
        probe.close();
        build.close();
    }
}
