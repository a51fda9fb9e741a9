package dev.oriel.sql.run;

import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.sql.rows.WideRow;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.table.value.Row;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Looks up rows by their keys. On the first opening in a run it streams the input, since its reader may need the
/// rows once, or stop at the first. On the second it stores all rows by their keys, until the end of the run.
final class KeptLookUpOperator implements Operator {
    private final Operator input;
    private final HashBuild build;
    private final Scalar[] keys;
    private final @Nullable Scalar rest;

    /// Whether a row of the input matches.
    private final Scalar test;

    private final RowKey sought;
    private final WideRow wide;
    private final Frame frame;
    private final Execution execution;

    /// The run of the last opening.
    private long run = -1;

    private boolean kept;
    private boolean reads;

    KeptLookUpOperator(
            Join.Hash plan, Operator input, HashBuild build, WideRow wide, Execution execution) {
        this.input = input;
        this.build = build;
        this.keys = plan.probeKeys().toArray(Scalar[]::new);
        this.rest = plan.rest();
        this.sought = new RowKey(plan.probeKeys().stream().map(Scalar::type).toList());
        this.wide = wide;
        this.frame = new Frame(execution, wide);
        this.execution = execution;
        List<Scalar> conditions = new ArrayList<>();
        for (int i = 0; i < keys.length; i++) {
            Scalar key = plan.buildKeys().get(i);
            conditions.add(new Condition.Comparison(Expression.Operator.EQUAL, key, keys[i]));
        }
        if (rest != null) {
            conditions.add(rest);
        }
        this.test = new Condition.Logical(true, List.copyOf(conditions));
    }

    @Override
    public void open() {
        boolean again = run == execution.run();
        if (!again) {
            run = execution.run();
            kept = false;
        }
        reads = !again;
        if (reads) {
            input.open();
            return;
        }
        if (!kept) {
            execution.atEnd(this::forget);
            build.collect();
            kept = true;
        }
        seek();
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

    @Override
    public boolean next() {
        if (reads) {
            while (input.next()) {
                execution.poll();
                if (test.evalTruth(frame) == 1) {
                    return true;
                }
            }
            return false;
        }
        while (build.nextOfChain()) {
            execution.poll();
            if (rest == null || rest.evalTruth(frame) == 1) {
                return true;
            }
        }
        return false;
    }

    private void forget() {
        kept = false;
        run = -1;
        build.close();
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
        input.close();
    }
}
