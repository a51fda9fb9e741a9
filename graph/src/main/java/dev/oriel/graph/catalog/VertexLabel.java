package dev.oriel.graph.catalog;

import dev.oriel.table.Table;
import java.util.List;

/// A vertex label and its table, as they are defined: immutable but for the sequence. A change of the
/// definition makes another one with the same number.
///
/// The table is clustered by the vertex number, see docs/graph-layout.md.
///
/// @param sequence allots the numbers of vertices that are their own ids
/// @param hidden allots those of vertices with ids of users
/// @param version of the catalog of tables that has the table in this form
public record VertexLabel(
        int number,
        String name,
        Table table,
        Columns columns,
        Sequence sequence,
        Sequence hidden,
        long version,
        LabelRules rules) {
    public static final int ID = 0;
    public static final int KEY = 1;
    public static final int BAG = 2;

    /// So many low bits of a vertex number are the number of its label.
    public static final int BITS = 16;

    static final int NUMBER_MAX = (1 << BITS) - 1;

    /// No sequence comes as far as this, and numbers of users from here on are in no sequence's way: behind them it
    /// would soon be at its end.
    public static final long PLACES_MAX = 1L << 45;

    /// Set in the number of a vertex whose id was given by a user: the number is no id then.
    private static final long HIDDEN = 1L << BITS;

    /// The label of the vertex `vertex`.
    static int of(long vertex) {
        return (int) vertex & NUMBER_MAX;
    }

    /// The vertex that is the `ofSequence`th of this label.
    ///
    /// @param hidden whether its id is another one
    public long vertex(long ofSequence, boolean hidden) {
        return ofSequence << (BITS + 1) | (hidden ? HIDDEN : 0) | number;
    }

    /// Which one of its label the vertex is.
    public static long inSequence(long vertex) {
        return vertex >>> (BITS + 1);
    }

    /// Whether the id of the vertex is another one than its number.
    public static boolean isHidden(long vertex) {
        return (vertex & HIDDEN) != 0;
    }

    /// All vertices that were ever added are below this.
    public long end() {
        return vertex(Math.max(sequence.next(), hidden.next()), false);
    }

    /// What a label that nobody declared has: no rules.
    public static LabelRules free() {
        return new LabelRules(
                false, LabelRules.IdStrategy.AUTOMATIC, List.of(), List.of(), List.of(), 0);
    }
}
