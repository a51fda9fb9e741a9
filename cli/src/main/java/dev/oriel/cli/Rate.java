package dev.oriel.cli;

/// How often something was done, and how long that took.
///
/// @param operations queries, rows loaded, transactions: what `what` names
/// @param rows rows read or changed by them
record Rate(String what, long operations, long rows, long nanos) {
    String operationsPerSecond() {
        return Figures.rate(operations, nanos);
    }

    String rowsPerSecond() {
        return Figures.rate(rows, nanos);
    }
}
