package dev.oriel.graph.catalog;

import dev.oriel.table.definition.Table;
import java.util.List;

/// The definition of a vertex label and its table: immutable but for the sequences. A changed definition is a new
/// object with the same number.
///
/// The table is clustered by the vertex number, see docs/graph-layout.md.
///
/// @param sequence allots the numbers of vertices without a user-supplied id
/// @param hidden allots the numbers of vertices with user-supplied ids
/// @param version version of the database's catalog that has the table in this form
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

    /// Number of low bits of a vertex number that hold the number of its label.
    public static final int BITS = 16;

    static final int NUMBER_MAX = (1 << BITS) - 1;

    /// Limit of sequence positions, which no sequence reaches. Numbers that users give as ids collide with
    /// sequences only below it; skipping such a number beyond it would nearly exhaust the sequence.
    public static final long PLACES_MAX = 1L << 45;

    /// Flag in the number of a vertex with a user-supplied id: the number is no id then.
    private static final long HIDDEN = 1L << BITS;

    /// The number of the label of `vertex`.
    static int of(long vertex) {
        return (int) vertex & NUMBER_MAX;
    }

    /// The vertex that is the `ofSequence`th of this label.
    ///
    /// @param hidden whether it has a user-supplied id
    public long vertex(long ofSequence, boolean hidden) {
        return ofSequence << (BITS + 1) | (hidden ? HIDDEN : 0) | number;
    }

    /// The position of the vertex in the sequence of its label.
    public static long inSequence(long vertex) {
        return vertex >>> (BITS + 1);
    }

    /// Whether the vertex has an id other than its number.
    public static boolean isHidden(long vertex) {
        return (vertex & HIDDEN) != 0;
    }

    /// Upper bound, exclusive, of all vertices ever added.
    public long end() {
        return vertex(Math.max(sequence.next(), hidden.next()), false);
    }

    /// The rules of an undeclared label: none.
    public static LabelRules free() {
        return new LabelRules(
                false, LabelRules.IdStrategy.AUTOMATIC, List.of(), List.of(), List.of(), 0);
    }
}
