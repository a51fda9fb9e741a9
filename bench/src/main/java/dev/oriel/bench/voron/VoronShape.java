package dev.oriel.bench.voron;

/// Parameters of the workout of the page tables.
///
/// @param name of the scenario
/// @param transactions number of commits
/// @param pages pages written by each, chosen at random out of all
/// @param range number of pages
/// @param lookups by the writer in each transaction, of any pages
/// @param cadence number of transactions between removals of versions
/// @param lag number of the last transactions that versions are kept for
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

    /// A case of the parameter sweep, named by its parameters.
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
