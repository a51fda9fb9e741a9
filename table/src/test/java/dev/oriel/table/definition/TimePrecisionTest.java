package dev.oriel.table.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TimePrecisionTest {
    private static final Type WHOLE = Type.temporal(Type.Name.TIMESTAMP, 0);

    private static long whole(long micros) {
        return TimePrecision.rounded(micros, WHOLE);
    }

    @Test
    void halvesGoUpBeforeAndAfterTheEpoch() {
        assertEquals(0, whole(499_999));
        assertEquals(1_000_000, whole(500_000));
        assertEquals(1_000_000, whole(1_000_000));
        assertEquals(0, whole(-500_000));
        assertEquals(-1_000_000, whole(-500_001));
        assertEquals(-1_000_000, whole(-1_000_000));
        assertEquals(1_300, TimePrecision.rounded(1_250, Type.temporal(Type.Name.TIMESTAMP_TZ, 4)));
        assertEquals(1_257, TimePrecision.rounded(1_257, Type.of(Type.Name.TIMESTAMP)));
    }

    @Test
    void whereNothingIsAboveItIsCut() {
        Type time = Type.temporal(Type.Name.TIME, 1);
        assertEquals(86_399_900_000L, TimePrecision.rounded(86_399_999_999L, time));
        assertEquals(86_399_900_000L, TimePrecision.rounded(86_399_899_999L, time));
        long last = Long.MAX_VALUE - Math.floorMod(Long.MAX_VALUE, 1_000_000L);
        assertEquals(last, whole(Long.MAX_VALUE - 1));
        assertEquals(last, whole(last));
        long first = Long.MIN_VALUE + 1;
        assertEquals(Math.ceilDiv(first, 1_000_000L) * 1_000_000, whole(first));
    }

    @Test
    void infinitiesStay() {
        assertEquals(Long.MAX_VALUE, whole(Long.MAX_VALUE));
        assertEquals(Long.MIN_VALUE, whole(Long.MIN_VALUE));
    }

    @Test
    void typesSayTheirDigits() {
        assertEquals("TIMESTAMP(0)", WHOLE.toString());
        assertEquals(
                "TIMESTAMP(3) WITH TIME ZONE", Type.temporal(Type.Name.TIMESTAMP_TZ, 3).toString());
        assertEquals("TIME(5)[]", Type.array(Type.temporal(Type.Name.TIME, 5)).toString());
        assertEquals("TIMESTAMP", Type.temporal(Type.Name.TIMESTAMP, 6).toString());
        assertEquals(0, WHOLE.secondDigits());
        assertEquals(6, Type.of(Type.Name.TIME).secondDigits());
    }
}
