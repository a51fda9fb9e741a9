package dev.oriel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LinesTest {
    @Test
    void anAnswerComesBackAsItWas() {
        Answer answer = new Answer(-3, 5, List.of(0.1, 37_719.75));
        Answer.Answered back = Answer.answered(answer.line("tpch/q1").split("\t", -1));
        assertEquals(new Answer.Answered("tpch/q1", answer), back);
    }

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
