package dev.oriel.bench.tpcc;

/// How much there is of everything. TPC-C wants 10 districts a warehouse, 3,000 customers and orders a
/// district and 100,000 items; that is [#FULL].
public record TpccSize(int warehouses, int districts, int customers, int items) {
    /// Two small warehouses, which everybody meets in.
    public static final TpccSize SMALL = new TpccSize(2, 10, 30, 200);

    /// A tenth of a warehouse.
    public static final TpccSize TENTH = new TpccSize(1, 10, 300, 10_000);

    /// A warehouse as TPC-C wants it.
    public static final TpccSize FULL = new TpccSize(1, 10, 3_000, 100_000);
}
