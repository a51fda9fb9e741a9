package dev.oriel.bench.tpcc;

/// Sizes of the tables. TPC-C demands 10 districts a warehouse, 3,000 customers and orders a district and 100,000
/// items; that is [#FULL].
public record TpccSize(int warehouses, int districts, int customers, int items) {
    /// Two small warehouses, shared by all terminals.
    public static final TpccSize SMALL = new TpccSize(2, 10, 30, 200);

    /// A tenth of a warehouse.
    public static final TpccSize TENTH = new TpccSize(1, 10, 300, 10_000);

    /// A warehouse of the size that TPC-C demands.
    public static final TpccSize FULL = new TpccSize(1, 10, 3_000, 100_000);
}
