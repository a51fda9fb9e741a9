package dev.oriel.graph.catalog;

import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;

/// The definition of an edge label and its table: immutable but for the sequence.
///
/// The table is clustered by (source, sort keys, target, number). Its index `incoming` has the order (target, sort
/// keys, source, number), see docs/graph-layout.md.
///
/// @param single whether there is at most one edge between two vertices with the same sort keys
/// @param sortKeys columns of the sort keys
/// @param link the labels of the source and the target
@SuppressWarnings("ArrayRecordComponent") // never compared
public record EdgeLabel(
        int number,
        String name,
        Table table,
        Columns columns,
        Sequence sequence,
        long version,
        boolean single,
        int[] sortKeys,
        Link link,
        LabelRules rules) {
    public static final int SOURCE = 0;
    public static final int TARGET = 1;
    public static final int NUMBER = 2;
    public static final int KEY = 3;
    public static final int BAG = 4;

    /// The number of the edge that is the `ofSequence`th of its label.
    ///
    /// @param hidden whether it has a user-supplied id
    public static long number(long ofSequence, boolean hidden) {
        return ofSequence << 1 | (hidden ? 1 : 0);
    }

    /// Whether the edge with this number has a user-supplied id.
    public static boolean isHidden(long number) {
        return (number & 1) != 0;
    }

    /// The labels at both ends; empty for any label.
    public record Link(String source, String target) {
        public static final Link ANY = new Link("", "");
    }

    public Index incoming() {
        return table.indexes().getFirst();
    }

    /// Number of columns of the table's key; [#incoming()] has the same number.
    public int keyColumns() {
        return 3 + sortKeys.length;
    }
}
