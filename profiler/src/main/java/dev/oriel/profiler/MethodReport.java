package dev.oriel.profiler;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The methods of the exact call tree as a table, in falling order of self time; or their classes, or packages,
/// added up. The columns are Eclipse Profiler's and some more. They are calls and their share, self time and its
/// share, self time without the cost of recording, and total time per call. Then come total time, minimum,
/// maximum, 99th percentile, and the cost of recording these calls.
///
/// @param grouping the unit of a row
/// @param layout text for people, or a table for other programs, whose times are nanoseconds
/// @param rowsMax the greatest number of rows
public record MethodReport(Grouping grouping, Layout layout, int rowsMax) implements Report {
    private static final String[] COLUMNS = {
        "calls", "%", "self", "%", "net", "per call", "total", "min", "max", "p99", "recording"
    };
    private static final List<String> RAW =
            List.of(
                    "name",
                    "calls",
                    "calls_percent",
                    "self_ns",
                    "self_percent",
                    "net_self_ns",
                    "ns_per_call",
                    "total_ns",
                    "min_ns",
                    "max_ns",
                    "p99_ns",
                    "recording_ns",
                    "errors",
                    "allocated_bytes");

    /// The unit of a row.
    public enum Grouping {
        /// One method.
        METHODS,
        /// All methods of a class; its total is the sum of the methods' totals.
        CLASSES,
        /// All methods of a package.
        PACKAGES
    }

    /// Format of the table.
    public enum Layout {
        /// Columns of text.
        TEXT,
        /// Comma-separated values.
        CSV,
        /// A table of Markdown.
        MARKDOWN
    }

    /// All methods, as text.
    public MethodReport() {
        this(Integer.MAX_VALUE);
    }

    /// The first methods, as text.
    public MethodReport(int rowsMax) {
        this(Grouping.METHODS, Layout.TEXT, rowsMax);
    }

    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        List<MethodCost> rows = rows(result).stream().limit(rowsMax).toList();
        switch (layout) {
            case TEXT -> text(rows, result, out);
            case CSV -> {
                CsvText.row(out, RAW);
                for (MethodCost row : rows) {
                    CsvText.row(out, raw(row, result));
                }
            }
            case MARKDOWN -> markdown(rows, result, out);
        }
    }

    private void text(List<MethodCost> rows, ProfileResult result, Appendable out)
            throws IOException {
        String what =
                grouping.name().charAt(0) + grouping.name().substring(1).toLowerCase(Locale.ROOT);
        TextHeading.write(what + " (exact, wall-clock time, summed over threads)", result, out);
        String[] header = List.of(COLUMNS).toArray(new String[COLUMNS.length + 1]);
        header[COLUMNS.length] =
                switch (grouping) {
                    case METHODS -> "method";
                    case CLASSES -> "class";
                    case PACKAGES -> "package";
                };
        TextTable table = new TextTable(header);
        boolean anyTooShort = false;
        for (MethodCost row : rows) {
            anyTooShort |= result.tooShort(row.calls(), row.meanNanos());
            table.add(cells(row, result).toArray(String[]::new));
        }
        table.write(out);
        TextHeading.legend(anyTooShort, result, out);
    }

    private void markdown(List<MethodCost> rows, ProfileResult result, Appendable out)
            throws IOException {
        out.append("| ").append(String.join(" | ", COLUMNS)).append(" | name |\n");
        out.append("|").append("---:|".repeat(COLUMNS.length)).append("---|\n");
        for (MethodCost row : rows) {
            List<String> cells = cells(row, result);
            String name = "`" + cells.getLast().replace("|", "\\|") + "`";
            out.append("| ").append(String.join(" | ", cells.subList(0, COLUMNS.length)));
            out.append(" | ").append(name).append(" |\n");
        }
    }

    private static List<String> cells(MethodCost row, ProfileResult result) {
        boolean tooShort = result.tooShort(row.calls(), row.meanNanos());
        Histogram latencies = row.detail().latencies();
        return List.of(
                Figures.count(row.calls()),
                Figures.percent(row.calls(), result.calls()),
                Figures.time(row.selfNanos()),
                Figures.percent(row.selfNanos(), result.totalNanos()),
                Figures.time(row.netNanos()),
                mean(tooShort, row.calls(), row.detail(), row.meanNanos()),
                Figures.time(row.totalNanos()),
                Figures.time(row.minNanos()),
                Figures.time(row.maxNanos()),
                latencies.count() == 0 ? "-" : Figures.time(p99(row)),
                Figures.time(recording(row, result)),
                row.name());
    }

    /// The mean of a call, as reports show it.
    static String mean(boolean tooShort, long calls, CallDetail detail, long meanNanos) {
        if (detail.untimedCalls() > 0 && detail.untimedCalls() >= calls / 2) {
            return "counted";
        }
        return (tooShort ? "~" : "") + Figures.time(meanNanos);
    }

    private static List<String> raw(MethodCost row, ProfileResult result) {
        List<String> cells = new ArrayList<>();
        cells.add(row.name());
        cells.add(String.valueOf(row.calls()));
        cells.add(Figures.percent(row.calls(), result.calls()));
        cells.add(String.valueOf(row.selfNanos()));
        cells.add(Figures.percent(row.selfNanos(), result.totalNanos()));
        cells.add(String.valueOf(row.netNanos()));
        cells.add(String.valueOf(row.meanNanos()));
        cells.add(String.valueOf(row.totalNanos()));
        cells.add(String.valueOf(row.minNanos()));
        cells.add(String.valueOf(row.maxNanos()));
        cells.add(row.detail().latencies().count() == 0 ? "" : String.valueOf(p99(row)));
        cells.add(String.valueOf(recording(row, result)));
        cells.add(String.valueOf(row.detail().errors()));
        cells.add(String.valueOf(row.detail().allocatedBytes()));
        return cells;
    }

    /// The middle of a bucket may lie above the longest call.
    private static long p99(MethodCost row) {
        return Math.min(row.maxNanos(), row.detail().latencies().percentile(0.99));
    }

    private static long recording(MethodCost row, ProfileResult result) {
        long counted = row.detail().untimedCalls();
        return (row.calls() - counted) * result.probePairNanos()
                + counted * result.cost().countedNanos();
    }

    private List<MethodCost> rows(ProfileResult result) {
        if (grouping == Grouping.METHODS) {
            return result.methods();
        }
        Map<String, MethodCost> groups = new LinkedHashMap<>();
        for (MethodCost method : result.methods()) {
            String group = method.owner();
            if (grouping == Grouping.PACKAGES) {
                group = group.substring(0, Math.max(0, group.lastIndexOf('.')));
            }
            MethodCost named = MethodCosts.renamed(method, group.isEmpty() ? "(none)" : group);
            groups.merge(named.name(), named, MethodCosts::plus);
        }
        List<MethodCost> rows = new ArrayList<>(groups.values());
        rows.sort(Comparator.comparingLong(MethodCost::selfNanos).reversed());
        return rows;
    }
}
