package dev.oriel.bench.report;

import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.Cases;
import dev.oriel.bench.results.Figures;
import dev.oriel.bench.targets.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The few cases for a reader with half a minute.
final class Headlines {
    /// One row.
    ///
    /// @param words name of the case for readers
    record Headline(String words, CaseTable table) {}

    private record Kind(String pattern, String words) {}

    private static final List<Kind> KINDS =
            List.of(
                    new Kind(
                            "axion/open-ended/both/warm",
                            "the Axion article's query: 10 of 5,000 rows, two strings each"),
                    new Kind("axion/limit/both/warm", "the same with `ORDER BY ... LIMIT 10`"),
                    new Kind(
                            "jdbm/insert/in-order/\\d+x150/written",
                            "inserts in order, %s records of 150 bytes, a commit every 500"),
                    new Kind("jdbm/insert/at-random/\\d+x150/written", "inserts at random, %s"),
                    new Kind("jdbm/get/at-random/\\d+x150(/.*)?", "gets at random, of %s"),
                    new Kind("jdbm/scan/in-order/\\d+x150(/.*)?", "a scan of %s"),
                    new Kind("jdbm/commit/1", "durable commits, one thread"),
                    new Kind("jdbm/commit/64", "durable commits, 64 threads"),
                    new Kind("voron/article", "the page table at the Voron article's point"),
                    new Kind("cold/first-query", "the first query of a fresh JVM"));

    private Headlines() {}

    /// The headlines that were measured; of several sizes the largest up to a million records.
    static List<Headline> of(Measured measured) {
        List<Headline> headlines = new ArrayList<>();
        for (Kind kind : KINDS) {
            measured.tables(kind.pattern).stream()
                    .filter(table -> table.ours() != null)
                    .max(Comparator.comparingLong(Headlines::fitness))
                    .map(table -> new Headline(words(kind, table), table))
                    .ifPresent(headlines::add);
        }
        return headlines;
    }

    /// Of several sizes the largest up to a million records is the fittest.
    static long fitness(CaseTable table) {
        long count = Cases.count(table.caseName());
        return count <= 1_000_000 ? count : -count;
    }

    private static String words(Kind kind, CaseTable table) {
        return kind.words.replace("%s", Figures.count(Cases.count(table.caseName())));
    }
}
