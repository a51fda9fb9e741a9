package dev.oriel.graph.catalog;

import dev.oriel.table.Index;
import dev.oriel.table.Table;

/// An edge label and its table, as they are defined: immutable but for the sequence.
///
/// The table is clustered by (source, sort keys, target, number), its index `incoming` is in the order
/// (target, sort keys, source, number), see docs/graph-layout.md.
///
/// @param single whether there is one edge at most between two vertices with the same sort keys
/// @param sortKeys columns of the sort keys
/// @param link what it leads from and to
@SuppressWarnings("ArrayRecordComponent") // nobody compares it
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
    /// @param hidden whether a user gave it an id
    public static long number(long ofSequence, boolean hidden) {
        return ofSequence << 1 | (hidden ? 1 : 0);
    }

    /// Whether a user gave the edge of this number an id.
    public static boolean isHidden(long number) {
        return (number & 1) != 0;
    }

    /// The labels at both ends; empty where any will do.
    public record Link(String source, String target) {
        public static final Link ANY = new Link("", "");
    }

    public Index incoming() {
        return table.indexes().getFirst();
    }

    /// How many columns the key of the table and that of [#incoming()] have.
    public int keyColumns() {
        return 3 + sortKeys.length;
    }
}
