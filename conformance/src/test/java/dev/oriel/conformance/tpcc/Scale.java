package dev.oriel.conformance.tpcc;

/// How much there is of everything. TPC-C wants 10 districts a warehouse, 3,000 customers and orders a
/// district and 100,000 items; that is [#FULL].
record Scale(int warehouses, int districts, int customers, int items) {
    static final Scale SMALL = new Scale(2, 10, 30, 200);
    static final Scale FULL = new Scale(1, 10, 3_000, 100_000);
}
