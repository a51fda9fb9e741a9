package dev.oriel.profiler;

import java.io.IOException;

/// The methods of the exact call tree as a table, in falling order of self time.
///
/// @param rowsMax the greatest number of rows
public record MethodReport(int rowsMax) implements Report {
    /// All methods.
    public MethodReport() {
        this(Integer.MAX_VALUE);
    }

    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        TextHeading.write("Methods (exact, wall-clock time, summed over threads)", result, out);
        TextTable table =
                new TextTable("self", "%", "total", "%", "calls", "mean", "min", "max", "method");
        long whole = result.totalNanos();
        boolean anyTooShort = false;
        int rows = 0;
        for (MethodCost method : result.methods()) {
            if (rows++ == rowsMax) {
                break;
            }
            boolean tooShort = result.tooShort(method.calls(), method.meanNanos());
            anyTooShort |= tooShort;
            table.add(
                    Figures.time(method.selfNanos()),
                    Figures.percent(method.selfNanos(), whole),
                    Figures.time(method.totalNanos()),
                    Figures.percent(method.totalNanos(), whole),
                    Figures.count(method.calls()),
                    (tooShort ? "~" : "") + Figures.time(method.meanNanos()),
                    Figures.time(method.minNanos()),
                    Figures.time(method.maxNanos()),
                    method.name());
        }
        table.write(out);
        TextHeading.legend(anyTooShort, result, out);
    }
}
