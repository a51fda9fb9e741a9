package dev.oriel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class LinesTest {
    @Test
    void whatIsToldIsWhatArrives() {
        Measurement told =
                new Measurement(
                        "jdbm/get/in-order/10x150/sync",
                        "rate",
                        "ops/s",
                        1.25e6,
                        812.5,
                        Double.NaN,
                        Durability.SYNC,
                        -77);
        assertEquals(told, Lines.measurement(Lines.of(told).split("\t", -1)));
    }

    @Test
    void aReasonOfManyLinesStaysOneLine() {
        String[] fields = Lines.cannot("a/b", "no\n\tsuch thing").split("\t", -1);
        assertEquals(4, fields.length);
        assertEquals("no such thing", fields[3]);
    }
}
