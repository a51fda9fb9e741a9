package dev.oriel.sql.change;

import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.run.Operator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The changes of a WITH, one after the other, and then the statement itself. Each part runs once and to its end.
public final class ChainedChanges implements Change {
    /// @param sink takes the rows of RETURNING; null if there are none
    private record Part(int number, Change change, @Nullable RowSink sink) {}

    private final Execution execution;
    private final List<Operator> before = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private final Change last;

    /// @param sink takes the rows of the statement itself; null if there are none
    ChainedChanges(Command.Chain chain, Execution execution, @Nullable RowSink sink) {
        this.execution = execution;
        for (Plan.Kept kept : chain.before()) {
            before.add(Operator.ofWhole(kept, execution));
        }
        for (Command.Part part : chain.parts()) {
            RowSink own = RowSink.of(part.change(), execution);
            parts.add(new Part(part.number(), change(part.change(), execution, own), own));
        }
        this.last =
                chain.last() instanceof Command.Query query && sink != null
                        ? new QueriedRows(query.plan(), execution, sink)
                        : change(chain.last(), execution, sink);
    }

    private static Change change(Command command, Execution execution, @Nullable RowSink sink) {
        Change change = Change.of(command, execution, sink);
        if (change == null) {
            throw new IllegalStateException(command + " changes no rows");
        }
        return change;
    }

    /// A sink for the rows of the statement itself; null if it returns none.
    public static @Nullable RowSink sink(Command.Chain chain, Execution execution) {
        return switch (chain.last()) {
            case Command.RowChange change -> RowSink.of(change, execution);
            case Command.Query query -> QueriedRows.sink(query.plan(), query.columns(), execution);
            default -> throw new IllegalStateException(chain.last() + " ends no WITH");
        };
    }

    @Override
    public long run() {
        for (Operator rows : before) {
            rows.open(); // collects all
            rows.close();
        }
        try {
            for (Part part : parts) {
                run(part);
            }
            return last.run();
        } finally {
            for (Part part : parts) {
                if (part.sink != null) {
                    execution.kept(part.number).clear();
                    part.sink.begin();
                }
            }
        }
    }

    private void run(Part part) {
        if (part.sink != null) {
            part.sink.begin();
        }
        part.change.run();
        if (part.sink != null) {
            execution.kept(part.number).replace(part.sink.take());
        }
    }
}
