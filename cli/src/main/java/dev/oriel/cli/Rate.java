package dev.oriel.cli;

/// Number of operations, and the time they took.
///
/// @param operations number of the operations named by `what`, such as queries, loaded rows or transactions
/// @param rows rows read or changed by them
record Rate(String what, long operations, long rows, long nanos) {
    String operationsPerSecond() {
        return Figures.rate(operations, nanos);
    }

    String rowsPerSecond() {
        return Figures.rate(rows, nanos);
    }
}
