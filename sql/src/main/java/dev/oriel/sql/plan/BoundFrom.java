package dev.oriel.sql.plan;

import dev.oriel.table.definition.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tables and joins of a FROM clause, resolved. The columns of all its tables lie side by side in one row, in
/// the order in which the query names the tables. The join order is up to the planner.
public sealed interface BoundFrom {
    /// One table or derived table.
    ///
    /// @param slot number of the table in the FROM, from 0
    /// @param firstColumn position of its first column in the row
    /// @param table null for a query
    /// @param plan null for a table
    /// @param replan replans the query for some of its rows; null if that is useless
    /// @param lateral columns of earlier tables that the query refers to; null if there are none
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
        /// This leaf with another plan.
        public Leaf replanned(Plan other, Replan anew) {
            return new Leaf(slot, name, firstColumn, width, table, other, anew, lateral);
        }
    }

    /// Arguments of a lateral query, evaluated before each of its runs.
    record Lateral(int number, List<Scalar> arguments) {}

    /// A join of two sides on the conjunction of `on`. A RIGHT join is represented as LEFT, with its sides
    /// exchanged.
    record Join(Kind kind, BoundFrom left, BoundFrom right, List<Scalar> on) implements BoundFrom {}

    enum Kind {
        INNER,
        LEFT,
        FULL
    }
}
