package dev.oriel.profiler;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Samples of one kind, method by method, in falling order of self: the samples whose innermost frame is the
/// method. Total is the samples with the method in any frame.
///
/// @param kind the kind of the samples
/// @param layout text for people, or a table for other programs
/// @param rowsMax the greatest number of rows
public record SampleReport(SampleKind kind, MethodReport.Layout layout, int rowsMax)
        implements Report {
    private static final String OWN = Probe.class.getName() + ".";

    /// The samples of one method.
    record Row(String name, long self, long total) {}

    /// Text.
    public SampleReport(SampleKind kind, int rowsMax) {
        this(kind, MethodReport.Layout.TEXT, rowsMax);
    }

    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        long whole = result.weight(kind);
        List<Row> rows = rows(result, kind).stream().limit(rowsMax).toList();
        switch (layout) {
            case TEXT -> {
                out.append(kind.title()).append(": ").append(Figures.weight(kind, whole));
                out.append(kind.unit().equals("samples") ? " samples. " : ". ");
                out.append(kind.note()).append("\n\n");
                TextTable table = new TextTable("self", "%", "total", "%", "method");
                for (Row row : rows) {
                    table.add(cells(row, whole).toArray(String[]::new));
                }
                table.write(out);
            }
            case CSV -> {
                CsvText.row(out, List.of("name", "self", "self_percent", "total", "total_percent"));
                for (Row row : rows) {
                    CsvText.row(
                            out,
                            List.of(
                                    row.name,
                                    String.valueOf(row.self),
                                    Figures.percent(row.self, whole),
                                    String.valueOf(row.total),
                                    Figures.percent(row.total, whole)));
                }
            }
            case MARKDOWN -> {
                out.append("| self | % | total | % | name |\n|---:|---:|---:|---:|---|\n");
                for (Row row : rows) {
                    List<String> cells = cells(row, whole);
                    out.append("| ").append(String.join(" | ", cells.subList(0, 4)));
                    out.append(" | `").append(row.name.replace("|", "\\|")).append("` |\n");
                }
            }
        }
    }

    private List<String> cells(Row row, long whole) {
        return List.of(
                Figures.weight(kind, row.self),
                Figures.percent(row.self, whole),
                Figures.weight(kind, row.total),
                Figures.percent(row.total, whole),
                row.name);
    }

    /// The methods of all samples of a kind.
    static List<Row> rows(ProfileResult result, SampleKind kind) {
        Map<String, long[]> sums = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (Sample sample : result.samples(kind)) {
            seen.clear();
            for (int i = 0; i < sample.stack().size(); i++) {
                String name = sample.stack().get(i).name();
                long[] sum = sums.computeIfAbsent(name, key -> new long[2]);
                sum[0] += i == 0 ? sample.weight() : 0;
                sum[1] += seen.add(name) ? sample.weight() : 0;
            }
            if (sample.stack().isEmpty()) {
                long[] sum = sums.computeIfAbsent("(no stack)", key -> new long[2]);
                sum[0] += sample.weight();
                sum[1] += sample.weight();
            }
        }
        List<Row> rows = new ArrayList<>();
        sums.forEach((name, sum) -> rows.add(new Row(name, sum[0], sum[1])));
        // Recording is no part of the program: it comes last, however much it is.
        rows.sort(
                Comparator.comparing((Row row) -> !row.name.startsWith(OWN))
                        .thenComparingLong(Row::self)
                        .thenComparingLong(Row::total)
                        .reversed()
                        .thenComparing(Row::name));
        return rows;
    }
}
