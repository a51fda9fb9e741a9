package dev.oriel.bench.results;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.compare.Interval;
import org.junit.jupiter.api.Test;

final class FiguresTest {
    @Test
    void threeDigitsCount() {
        assertEquals("2.27 M ops/s", Figures.of(2_271_000, "ops/s"));
        assertEquals("743 k ops/s", Figures.of(743_210, "ops/s"));
        assertEquals("1.00 M ops/s", Figures.of(999_700, "ops/s"));
        assertEquals("16.3 ns", Figures.of(16.31, "ns/op"));
        assertEquals("1.20 ms", Figures.of(1200, "us"));
        assertEquals("158 B/op", Figures.of(158, "bytes/op"));
        assertEquals("1.10 GB", Figures.of(1.1e9, "bytes"));
        assertEquals("9.10 GB/s", Figures.of(9.1e9, "bytes/s"));
        assertEquals("0.0200", Figures.digits(0.02));
        assertEquals("0.941", Figures.digits(0.9412));
        assertEquals("1.00", Figures.digits(0.996));
        assertEquals("18,425", Figures.digits(18_425));
        assertEquals("0", Figures.digits(0));
        assertEquals("[730 k, 751 k]", Figures.interval(730e3, 751e3, "ops/s"));
        assertEquals("10 k", Figures.count(10_000));
        assertEquals("1 M", Figures.count(1_000_000));
        assertEquals("10,500", Figures.count(10_500));
    }

    @Test
    void oneRunIsSaid() {
        assertEquals("2.00x [1.50, 2.50]", Figures.ratio(new Interval(2, 1.5, 2.5, 4)));
        Interval open = new Interval(2, 0, Double.POSITIVE_INFINITY, 1);
        assertEquals("2.00x (one run)", Figures.ratio(open));
    }
}
