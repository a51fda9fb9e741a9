package dev.oriel.sql.run;

import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScanTests;
import dev.oriel.sql.rows.WideRow;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// One table of a join: fills its slot of the row that all of them share.
final class JoinInputOperator implements Operator {
    private final int slot;
    private final Operator input;
    private final BoundFrom.@Nullable Lateral lateral;
    private final Execution execution;
    private final Scalar[] arguments;
    private final Tuple given;
    private final WideRow wide;
    private final Frame frame;

    /// @param tests predicates tested by the cursor of its table; null for none
    private JoinInputOperator(
            Join.Source source, WideRow wide, Execution execution, @Nullable ScanTests tests) {
        this.slot = source.slot();
        this.wide = wide;
        this.frame = new Frame(execution, wide);
        this.execution = execution;
        this.lateral = source.lateral();
        this.arguments =
                lateral == null ? new Scalar[0] : lateral.arguments().toArray(Scalar[]::new);
        this.given =
                lateral == null
                        ? new Tuple(0)
                        : execution.arguments(lateral.number(), arguments.length);
        this.input =
                source.plan() instanceof Plan.Scan scan
                        ? new ScanOperator(scan, execution, wide, tests)
                        : Operator.of(source.plan(), execution);
    }

    /// The operators of `plan`, which all share one wide row.
    static Operator joined(Plan.Joined plan, Execution execution) {
        return of(plan.join(), plan, plan.used(), new WideRow(plan.slots()), execution);
    }

    /// @param asked columns that are read of the rows of `join`
    private static Operator of(
            Join join, Plan.Joined plan, BitSet asked, WideRow wide, Execution execution) {
        return Operator.measured(execution, join, made(join, plan, asked, wide, execution));
    }

    private static Operator made(
            Join join, Plan.Joined plan, BitSet asked, WideRow wide, Execution execution) {
        return switch (join) {
            case Join.Source source -> new JoinInputOperator(source, wide, execution, null);
            case Join.Filtered filtered -> filtered(filtered, plan, asked, wide, execution);
            case Join.Loop loop -> {
                BitSet ofOuter = (BitSet) asked.clone();
                JoinColumns.addRead(loop.inner(), ofOuter);
                yield new NestedLoopJoinOperator(
                        of(loop.outer(), plan, ofOuter, wide, execution),
                        of(loop.inner(), plan, asked, wide, execution),
                        loop,
                        wide);
            }
            case Join.Hash hash -> {
                BitSet kept = with(asked, hash.rest());
                BitSet ofProbe = (BitSet) kept.clone();
                BitSet ofBuild = (BitSet) kept.clone();
                hash.probeKeys().forEach(key -> PlanParts.columns(key, ofProbe));
                hash.buildKeys().forEach(key -> PlanParts.columns(key, ofBuild));
                Operator probe = of(hash.probe(), plan, ofProbe, wide, execution);
                Operator build = of(hash.build(), plan, ofBuild, wide, execution);
                HashBuild rows = new HashBuild(hash, build, plan.types(), kept, wide, execution);
                if (hash.looksUp()) {
                    yield new KeptLookUpOperator(hash, build, rows, wide, execution);
                }
                boolean keeps = isKept(hash, plan, wide);
                yield new HashOperator(hash, probe, rows, wide, execution, keeps);
            }
        };
    }

    /// Whether the hash table of `hash` stays valid until the end of the run and will be used again: the joins are
    /// in a correlated subquery.
    private static boolean isKept(Join.Hash hash, Plan.Joined plan, WideRow wide) {
        if (hash.kind() == BoundFrom.Kind.FULL
                || !PlanParts.usesArguments(plan)
                || readsBefore(hash, wide)) {
            return false;
        }
        Plan build = new Plan.Joined(hash.build(), plan.slots(), plan.used());
        return PlanParts.needs(build).length == 0 && !PlanParts.isVolatile(build);
    }

    /// Whether the build side reads columns of tables before it, for example as arguments of a LATERAL query.
    private static boolean readsBefore(Join.Hash hash, WideRow wide) {
        BitSet read = new BitSet();
        JoinColumns.addRead(hash.build(), read);
        for (int i = read.nextSetBit(0); i >= 0; i = read.nextSetBit(i + 1)) {
            if (!hash.buildSlots().contains(wide.slot(i))) {
                return true;
            }
        }
        return false;
    }

    private static BitSet with(BitSet asked, @Nullable Scalar condition) {
        BitSet all = (BitSet) asked.clone();
        if (condition != null) {
            PlanParts.columns(condition, all);
        }
        return all;
    }

    private static Operator filtered(
            Join.Filtered filtered,
            Plan.Joined plan,
            BitSet asked,
            WideRow wide,
            Execution execution) {
        if (filtered.input() instanceof Join.Source source
                && source.plan() instanceof Plan.Scan scan) {
            int first = wide.first(source.slot());
            ScanTests tests = FilterOperator.tests(scan, filtered.condition(), first, execution);
            if (tests != null) {
                Operator fewer = new JoinInputOperator(source, wide, execution, tests);
                Scalar others = tests.others();
                return others == null ? fewer : new FilterOperator(fewer, others, execution);
            }
        }
        BitSet ofInput = with(asked, filtered.condition());
        Operator input = of(filtered.input(), plan, ofInput, wide, execution);
        return new FilterOperator(input, filtered.condition(), execution);
    }

    @Override
    public void open() {
        for (int i = 0; i < arguments.length; i++) {
            arguments[i].store(given, i, frame);
        }
        if (lateral != null) {
            execution.changed(lateral.number());
        }
        input.open();
        wide.set(slot, input.row());
    }

    @Override
    public boolean next() {
        return input.next();
    }

    @Override
    public Row row() {
        return wide;
    }

    @Override
    public void close() {
        input.close();
    }
}
