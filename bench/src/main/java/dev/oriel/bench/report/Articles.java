package dev.oriel.bench.report;

import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.CaseTable.Row;
import dev.oriel.bench.results.Cases;
import dev.oriel.bench.results.Figures;
import dev.oriel.bench.results.Results.Result;
import dev.oriel.bench.targets.Measured;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The figures of the workloads' articles, next to today's.
final class Articles {
    private static final String AXION = "Axion, 2003";
    private static final String JDBM = "jdbm, 2005";
    private static final String VORON = "Voron, 2016";
    private static final String OPEN = "axion/open-ended/";
    private static final String INSERT = "jdbm/insert/in-order/\\d+x150/(async|written)";
    private static final String PAGES = "voron/article";
    private static final List<String> AXIONS = List.of("axion-memory", "axion-disk", "axion");
    private static final String ARRAY = "oriel-array";

    /// One figure of an article.
    ///
    /// @param value in `unit`
    /// @param pattern of the case that does the same work today
    /// @param ours Oriel's subject; empty for the headline one
    /// @param again subjects that use the article's own design today
    private record Origin(
            String article,
            String what,
            double value,
            String unit,
            String pattern,
            String ours,
            List<String> again) {}

    private static final List<Origin> ORIGINS =
            List.of(
                    new Origin(
                            AXION,
                            "array index, indexed column alone",
                            4_668.5,
                            "queries/s",
                            OPEN + "indexed/(cold|warm)",
                            ARRAY,
                            AXIONS),
                    new Origin(
                            AXION,
                            "array index, both columns",
                            2_146.8,
                            "queries/s",
                            OPEN + "both/(cold|warm)",
                            ARRAY,
                            AXIONS),
                    new Origin(
                            AXION,
                            "B-tree, both columns, at first",
                            12.0,
                            "queries/s",
                            OPEN + "both/(cold|warm)",
                            "",
                            List.of()),
                    new Origin(
                            AXION,
                            "B-tree, both columns, tuned",
                            2_112.4,
                            "queries/s",
                            OPEN + "both/(cold|warm)",
                            "",
                            List.of()),
                    new Origin(
                            JDBM,
                            "inserts of 150 bytes, direct, at first",
                            5_374,
                            "records/s",
                            INSERT,
                            "",
                            List.of()),
                    new Origin(
                            JDBM,
                            "inserts of 150 bytes, direct, tuned",
                            18_716,
                            "records/s",
                            INSERT,
                            "",
                            List.of()),
                    new Origin(
                            JDBM,
                            "inserts of 150 bytes, B-tree, at first",
                            13_676,
                            "records/s",
                            INSERT,
                            "",
                            List.of()),
                    new Origin(
                            JDBM,
                            "inserts of 150 bytes, B-tree, tuned",
                            17_205,
                            "records/s",
                            INSERT,
                            "",
                            List.of("jdbm")),
                    new Origin(
                            VORON,
                            "a transaction, old page table (15.3 s for 10,000)",
                            1.53,
                            "ms/op",
                            PAGES,
                            "",
                            List.of("voron-old")),
                    new Origin(
                            VORON,
                            "a transaction, new page table (32 s for 10,000)",
                            3.2,
                            "ms/op",
                            PAGES,
                            "",
                            List.of("voron-new")),
                    new Origin(
                            VORON,
                            "memory a transaction, old (1.1 GB for 10,000)",
                            110_000,
                            "bytes/op",
                            PAGES,
                            "",
                            List.of("voron-old")),
                    new Origin(
                            VORON,
                            "memory a transaction, new (320 MB for 10,000)",
                            32_000,
                            "bytes/op",
                            PAGES,
                            "",
                            List.of("voron-new")),
                    new Origin(
                            "HugeGraph",
                            "vertices, at first",
                            44_511,
                            "vertices/s",
                            "hugegraph/written/vertices/indexed/article",
                            "",
                            List.of("hugegraph")),
                    new Origin(
                            "HugeGraph",
                            "vertices, tuned",
                            60_007,
                            "vertices/s",
                            "hugegraph/written/vertices/indexed/article",
                            "",
                            List.of("hugegraph")),
                    new Origin(
                            "Couchbase",
                            "operations of the client",
                            9_000,
                            "ops/s",
                            "couchbase/(get|loop)(/.*)?",
                            "",
                            List.of("couchbase")));

    /// One figure then and now.
    ///
    /// @param again by the article's own design, measured in the same run; null if it was not measured
    /// @param now Oriel's figure
    /// @param times factor by which Oriel is better than the article's figure
    record Then(
            String article,
            String what,
            String then,
            String caseName,
            @Nullable String again,
            String now,
            double times) {}

    private Articles() {}

    /// The figures whose case was measured.
    static List<Then> of(Measured measured) {
        List<Then> rows = new ArrayList<>();
        for (Origin origin : ORIGINS) {
            List<CaseTable> tables = measured.tables(origin.pattern);
            if (!tables.isEmpty()) {
                Then row = row(origin, nearest(tables));
                if (row != null) {
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    /// The table most like the article's: 5,000 queries of a fresh JVM, 100,000 records.
    private static CaseTable nearest(List<CaseTable> tables) {
        CaseTable nearest = tables.getFirst();
        for (CaseTable table : tables) {
            if (distance(table) < distance(nearest)) {
                nearest = table;
            }
        }
        return nearest;
    }

    private static double distance(CaseTable table) {
        double warm = table.caseName().endsWith("/warm") ? 0.1 : 0;
        long count = Cases.count(table.caseName());
        return warm + (count == 0 ? 0 : Math.abs(Math.log(count / 1e5)));
    }

    private static @Nullable Then row(Origin origin, CaseTable table) {
        Row headline = table.ours();
        if (headline == null) {
            return null;
        }
        Result ours = headline.result();
        Result again = null;
        for (Row row : table.rows().reversed()) {
            if (row.result().subject().equals(origin.ours)) {
                ours = row.result();
            }
            if (origin.again.contains(row.result().subject())) {
                again = row.result();
            }
        }
        Double now = figure(origin, ours);
        Double same = again == null ? null : figure(origin, again);
        if (now == null) {
            return null;
        }
        boolean rate = origin.unit.endsWith("/s");
        return new Then(
                origin.article,
                origin.what,
                Figures.of(origin.value, origin.unit),
                table.caseName(),
                same == null ? null : Figures.of(same, origin.unit),
                Figures.of(now, origin.unit),
                rate ? now / origin.value : origin.value / now);
    }

    /// A figure in the article's unit.
    private static @Nullable Double figure(Origin origin, Result result) {
        if (origin.unit.equals("bytes/op")) {
            return result.bytesPerOp();
        }
        double nanos = Measured.perOp(result);
        if (!(nanos > 0)) {
            return null;
        }
        return origin.unit.endsWith("/s") ? 1e9 / nanos : nanos / Figures.nanosOf(origin.unit);
    }
}
