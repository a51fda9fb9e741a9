package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeatScaleTest {
    private static HeatScale scale(long lastNanos) {
        return HeatScale.of(List.of(new Sample(SampleKind.CPU, lastNanos, "main", List.of(), 1)));
    }

    @Test
    void samplesWithoutATimeAreInOneCell() {
        assertEquals(new HeatScale(0, 1), scale(0));
        assertEquals(0, scale(0).cell(7));
    }

    @Test
    void aCellIsAtLeastFiftyMilliseconds() {
        assertEquals(new HeatScale(200_000_000, 4), scale(1));
        assertEquals(new HeatScale(200_000_000, 4), scale(10_000_000_000L));
        assertEquals(new HeatScale(1_000_000_000, 20), scale(60_000_000_000L));
        assertEquals(0, scale(1).cell(49_999_999));
        assertEquals(1, scale(1).cell(50_000_000));
        assertEquals(4, scale(1).cell(200_000_000));
    }

    /// From a tenth of a second to a week.
    @ParameterizedTest
    @ValueSource(longs = {1, 100, 9_999, 24_000, 60_000, 3_600_000, 86_400_000, 604_800_000})
    void thereAreFewColumnsWhateverTheTime(long millis) {
        HeatScale scale = scale(millis * 1_000_000);
        int columns = scale.cell(millis * 1_000_000) / scale.cells() + 1;
        assertTrue(columns <= 121, scale + ": " + columns);
        assertTrue(columns >= 40 || scale.columnNanos() == 200_000_000, scale + ": " + columns);
    }
}
