package dev.oriel.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class AxisTest {
    @Test
    void anAxisHasRoundTicksAsManyAsThereMayBe() {
        assertEquals(List.of(0.8, 0.9, 1.0, 1.1, 1.2, 1.3), new Axis(0.79, 1.31).ticks(6));
        assertEquals(List.of(1.0, 2.0, 5.0, 10.0, 20.0), new Axis(0.9, 40).ticks(6));
        List<Double> wide = new Axis(1, 1e6).ticks(8);
        assertEquals(List.of(1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6), wide);
        Axis axis = Axis.around(10, 1000);
        assertTrue(axis.at(10) > 0 && axis.at(1000) < 1);
        assertEquals(0.5, axis.at(100), 1e-9);
        assertEquals(0, axis.at(1e-9));
        assertEquals(1, axis.at(1e9));
    }
}
