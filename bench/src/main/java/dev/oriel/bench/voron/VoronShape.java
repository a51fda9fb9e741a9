package dev.oriel.bench.voron;

/// What the workout of the page tables does.
///
/// @param name of the scenario
/// @param transactions how many commit
/// @param pages written by each, chosen at random out of all
/// @param range how many pages there are
/// @param lookups by the writer in each transaction, of any pages
/// @param cadence after how many transactions versions are removed
/// @param lag how many of the last transactions they are kept for
/// @param readers threads that look up without pause meanwhile
record VoronShape(
        String name,
        int transactions,
        int pages,
        int range,
        int lookups,
        int cadence,
        int lag,
        int readers) {

    /// A point of the sweep, named by its parameters.
    static VoronShape point(int pages, int range, int lookups, int cadence, int readers) {
        return new VoronShape(
                "pages-"
                        + pages
                        + "/of-"
                        + range
                        + "/lookups-"
                        + lookups
                        + "/prune-"
                        + cadence
                        + "/readers-"
                        + readers,
                10_000,
                pages,
                range,
                lookups,
                cadence,
                1,
                readers);
    }

    VoronShape named(String other) {
        return new VoronShape(other, transactions, pages, range, lookups, cadence, lag, readers);
    }

    String caseName() {
        return "voron/" + name;
    }
}
