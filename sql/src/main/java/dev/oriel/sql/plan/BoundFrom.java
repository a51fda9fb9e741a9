package dev.oriel.sql.plan;

import dev.oriel.table.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a query reads, resolved. The columns of all its tables lie side by side in one row, in the
/// order in which the query names the tables; in which order they are joined is the planner's
/// choice.
public sealed interface BoundFrom {
    /// One table, or one query that stands for a table.
    ///
    /// @param slot number of the table in the FROM, from 0
    /// @param firstColumn position of its first column in the row
    /// @param table null where it is a query
    /// @param plan null where it is a table
    /// @param replan how the query is planned for some of its rows; null where that is of no use
    /// @param lateral what the query needs of the tables before it; null where it needs nothing
    record Leaf(
            int slot,
            String name,
            int firstColumn,
            int width,
            @Nullable Table table,
            @Nullable Plan plan,
            @Nullable Replan replan,
            @Nullable Lateral lateral)
            implements BoundFrom {
        /// The same by another plan.
        public Leaf replanned(Plan other, Replan anew) {
            return new Leaf(slot, name, firstColumn, width, table, other, anew, lateral);
        }
    }

    /// Arguments of a query, evaluated before each of its runs.
    record Lateral(int number, List<Scalar> arguments) {}

    /// Two sides joined where all of `on` holds. What is written as RIGHT is LEFT here, with its
    /// sides exchanged.
    record Join(Kind kind, BoundFrom left, BoundFrom right, List<Scalar> on) implements BoundFrom {}

    enum Kind {
        INNER,
        LEFT,
        FULL
    }
}
