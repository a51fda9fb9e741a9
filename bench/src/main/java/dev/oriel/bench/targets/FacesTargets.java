package dev.oriel.bench.targets;

import dev.oriel.bench.results.Comparisons;
import dev.oriel.bench.results.Results.Result;
import dev.oriel.bench.targets.Target.Check;
import dev.oriel.compare.Interval;
import java.util.ArrayList;
import java.util.List;

/// The targets of transactions over faces, and of maps.
final class FacesTargets {
    private static final String TRANSACT = "faces/transact/.*";
    private static final List<String> CLASSES = List.of("async", "written", "sync");

    static final List<Target> ALL =
            List.of(
                    atLeast(
                            "a map's insert, get and scan >= 0.9x the store's own tree",
                            0.9,
                            FacesTargets::maps),
                    atMost(
                            "a row, an edge and an entry <= 1.5x the same as rows by the table layer",
                            1.5,
                            FacesTargets::rows),
                    atLeast(
                            "a row, an edge and an entry >= 3x ArcadeDB",
                            3,
                            m -> lead(m, "arcadedb")),
                    atLeast(
                            "a row, an edge and an entry >= 2x H2 and RocksDB",
                            2,
                            m -> lead(m, "h2-rocksdb")),
                    atMost("an empty read transaction <= 200 ns", 200, FacesTargets::emptyRead));

    private FacesTargets() {}

    private static Target atLeast(String text, double bound, Target.Formula formula) {
        return new Target("faces", text, bound, true, formula);
    }

    private static Target atMost(String text, double bound, Target.Formula formula) {
        return new Target("faces", text, bound, false, formula);
    }

    private static List<Check> lead(Measured measured, String product) {
        return measured.lead(
                TRANSACT,
                ours -> ours.subject().equals("oriel-faces"),
                peer -> peer.subject().equals(product));
    }

    private static List<Check> maps(Measured measured) {
        List<Check> checks = new ArrayList<>();
        for (String what : List.of("insert", "get", "scan")) {
            String name = "faces/map/" + what;
            Result map = measured.result(name, "oriel-map", "rate");
            Result tree = measured.result(name, "oriel-tree", "rate");
            if (map != null && tree != null) {
                checks.add(new Check(name, Comparisons.lead(map, tree), tree.subject()));
            }
        }
        return checks;
    }

    private static List<Check> rows(Measured measured) {
        List<Check> checks = new ArrayList<>();
        for (String durability : CLASSES) {
            String name = "faces/transact/" + durability;
            Result faces = measured.result(name, "oriel-faces", "rate");
            Result rows = measured.result(name, "oriel-rows", "rate");
            if (faces != null && rows != null) {
                checks.add(new Check(name, Comparisons.lead(rows, faces), rows.subject()));
            }
        }
        return checks;
    }

    private static List<Check> emptyRead(Measured measured) {
        List<Check> checks = new ArrayList<>();
        Result read = measured.result("faces/empty-read", "oriel-faces", "time");
        if (read != null) {
            Double low = read.low();
            Double high = read.high();
            Interval figure =
                    new Interval(
                            read.value(),
                            low == null ? 0 : low,
                            high == null ? Double.POSITIVE_INFINITY : high,
                            read.samples().size());
            checks.add(new Check(read.caseName(), figure, read.unit(), ""));
        }
        return checks;
    }
}
