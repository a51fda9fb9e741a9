package dev.oriel.sql.run;

import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.sql.rows.WideRow;
import dev.oriel.table.value.Row;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Hash join. Rows come in the order of the probe side; unmatched build rows of a FULL join come last. If the hash
/// table of an inner join is empty, the probe side is not read.
public final class HashOperator implements Operator {
    private final Operator probe;
    private final HashBuild build;
    private final BoundFrom.Kind kind;
    private final Scalar[] keys;

    /// Condition of an outer join on the probing side alone, tested once for each of its rows; null for none.
    private final @Nullable Scalar before;

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
        List<Scalar> early = new ArrayList<>();
        List<Scalar> late = new ArrayList<>();
        divide(plan, wide, early, late);
        this.before = all(early);
        this.rest = all(late);
        this.probeSlots = plan.probeSlots().stream().mapToInt(Integer::intValue).toArray();
        this.sought = new RowKey(Scalar.types(plan.probeKeys()));
        this.wide = wide;
        this.frame = new Frame(execution, wide);
        this.execution = execution;
    }

    /// Adds the conditions of `plan` on the probing side alone to `early`, and the others to `late`.
    private static void divide(
            Join.Hash plan, WideRow wide, List<Scalar> early, List<Scalar> late) {
        Scalar condition = plan.rest();
        if (condition == null) {
            return;
        }
        List<Scalar> terms =
                condition instanceof Condition.Logical logical && logical.and()
                        ? logical.terms()
                        : List.of(condition);
        for (Scalar term : terms) {
            BitSet columns = new BitSet();
            PlanParts.columns(term, columns);
            boolean probing =
                    plan.kind() != BoundFrom.Kind.INNER
                            && !PlanParts.isVolatile(term)
                            && !PlanParts.hasSubquery(term);
            for (int i = columns.nextSetBit(0); i >= 0 && probing; i = columns.nextSetBit(i + 1)) {
                probing = plan.probeSlots().contains(wide.slot(i));
            }
            (probing ? early : late).add(term);
        }
    }

    private static @Nullable Scalar all(List<Scalar> terms) {
        return terms.size() < 2
                ? terms.isEmpty() ? null : terms.getFirst()
                : new Condition.Logical(true, List.copyOf(terms));
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
        if (before != null && !build.isEmpty() && before.evalTruth(frame) != 1) {
            build.seekNothing();
            return;
        }
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
