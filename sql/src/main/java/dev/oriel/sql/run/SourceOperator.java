package dev.oriel.sql.run;

import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.WideRow;
import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.List;

/// One table of a join: fills its slot of the row that all of them share.
final class SourceOperator implements Operator {
    private final int slot;
    private final Operator input;
    private final Scalar[] arguments;
    private final Tuple given;
    private final WideRow wide;
    private final Frame frame;

    private SourceOperator(Join.Source source, WideRow wide, Execution execution) {
        this.slot = source.slot();
        this.wide = wide;
        this.frame = new Frame(execution, wide);
        BoundFrom.Lateral lateral = source.lateral();
        this.arguments =
                lateral == null ? new Scalar[0] : lateral.arguments().toArray(Scalar[]::new);
        this.given =
                lateral == null
                        ? new Tuple(0)
                        : execution.arguments(lateral.number(), arguments.length);
        this.input =
                source.plan() instanceof Plan.Scan scan
                        ? new ScanOperator(scan, execution, wide)
                        : Operator.of(source.plan(), execution);
    }

    /// The operators of `plan`, all of which stand on one row.
    static Operator joined(Plan.Joined plan, Execution execution) {
        return of(plan.join(), plan, new WideRow(plan.slots()), execution);
    }

    private static Operator of(Join join, Plan.Joined plan, WideRow wide, Execution execution) {
        return Operator.measured(execution, join, made(join, plan, wide, execution));
    }

    private static Operator made(Join join, Plan.Joined plan, WideRow wide, Execution execution) {
        return switch (join) {
            case Join.Source source -> new SourceOperator(source, wide, execution);
            case Join.Filtered filtered ->
                    new FilterOperator(
                            of(filtered.input(), plan, wide, execution),
                            filtered.condition(),
                            execution);
            case Join.Loop loop ->
                    new LoopOperator(
                            of(loop.outer(), plan, wide, execution),
                            of(loop.inner(), plan, wide, execution),
                            loop,
                            wide);
            case Join.Hash hash -> {
                Operator probe = of(hash.probe(), plan, wide, execution);
                Operator build = of(hash.build(), plan, wide, execution);
                List<Type> types = plan.types();
                HashBuild kept = new HashBuild(hash, build, types, plan.used(), wide, execution);
                yield new HashOperator(hash, probe, kept, wide, execution);
            }
        };
    }

    @Override
    public void open() {
        for (int i = 0; i < arguments.length; i++) {
            arguments[i].store(given, i, frame);
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
