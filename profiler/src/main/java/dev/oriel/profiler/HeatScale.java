package dev.oriel.profiler;

import java.util.List;

/// The time of a recording as columns of cells, for a heat map: cells of 50 ms or more, at most 20 in a column, at
/// most 120 columns.
///
/// @param columnNanos length of a column; 0 if no sample has a time
/// @param cells number of cells in a column
record HeatScale(long columnNanos, int cells) {
    private static final long CELL_NANOS_MIN = 50_000_000;
    private static final int CELLS_MAX = 20;
    private static final int COLUMNS_MAX = 120;
    private static final long[] STEPS = {4, 10, 20, 40, 100, 200, 400, 1_200, 2_400, 6_000, 12_000};

    /// The scale that shows all samples.
    static HeatScale of(List<Sample> samples) {
        long last = samples.stream().mapToLong(Sample::atNanos).max().orElse(0);
        if (last <= 0) {
            return new HeatScale(0, 1);
        }
        long step = last / COLUMNS_MAX / CELL_NANOS_MIN;
        for (long each : STEPS) {
            if (each > step) {
                step = each;
                break;
            }
        }
        return new HeatScale(step * CELL_NANOS_MIN, (int) Math.min(CELLS_MAX, step));
    }

    /// The cell of a time, counted through all columns.
    int cell(long atNanos) {
        return columnNanos == 0
                ? 0
                : Math.toIntExact(Math.max(0, atNanos) / columnNanos) * cells
                        + (int) (Math.max(0, atNanos) % columnNanos * cells / columnNanos);
    }
}
