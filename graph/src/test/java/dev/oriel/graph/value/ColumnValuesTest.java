package dev.oriel.graph.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColumnValuesTest {
    private final Tuple row = new Tuple(1);

    private void assertKept(Type.Name name, long stored, Object value) {
        Type type = Type.of(name);
        row.setLong(0, stored);
        assertEquals(value, ColumnValues.take(row, 0, type));
        row.setLong(0, 0);
        ColumnValues.put(row, 0, type, value);
        assertEquals(stored, row.longAt(0));
    }

    @Test
    void infiniteDatesAreTheLastAndTheFirstOfTheClass() {
        assertKept(Type.Name.DATE, NonFinite.LAST_DAY, LocalDate.MAX);
        assertKept(Type.Name.DATE, NonFinite.FIRST_DAY, LocalDate.MIN);
        assertKept(Type.Name.TIMESTAMP, NonFinite.LAST_MOMENT, LocalDateTime.MAX);
        assertKept(Type.Name.TIMESTAMP, NonFinite.FIRST_MOMENT, LocalDateTime.MIN);
        assertKept(Type.Name.TIMESTAMP_TZ, NonFinite.LAST_MOMENT, OffsetDateTime.MAX);
        assertKept(Type.Name.TIMESTAMP_TZ, NonFinite.FIRST_MOMENT, OffsetDateTime.MIN);
        ColumnValues.put(row, 0, Type.of(Type.Name.TIMESTAMP_TZ), Instant.MAX);
        assertEquals(NonFinite.LAST_MOMENT, row.longAt(0));
    }

    @Test
    void otherDatesAreKept() {
        assertKept(Type.Name.DATE, -1, LocalDate.parse("1969-12-31"));
        assertKept(Type.Name.TIME, 1, LocalTime.parse("00:00:00.000001"));
        assertKept(Type.Name.TIMESTAMP, -1, LocalDateTime.parse("1969-12-31T23:59:59.999999"));
        assertKept(Type.Name.TIMESTAMP_TZ, -1, OffsetDateTime.parse("1969-12-31T23:59:59.999999Z"));
    }

    @Test
    void datesOutOfRangeAreRefused() {
        for (LocalDate day :
                List.of(
                        LocalDate.MAX.minusDays(1),
                        LocalDate.ofEpochDay(NonFinite.LAST_DAY),
                        LocalDate.ofEpochDay(NonFinite.FIRST_DAY))) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> ColumnValues.put(row, 0, Type.of(Type.Name.DATE), day));
        }
        LocalDateTime late = LocalDateTime.MAX.minusDays(1);
        assertThrows(
                IllegalArgumentException.class,
                () -> ColumnValues.put(row, 0, Type.of(Type.Name.TIMESTAMP), late));
    }

    @Test
    void elementsOfBitHaveItsLength() {
        Type bits = Type.array(new Type(Type.Name.BIT, 3, 0));
        ColumnValues.put(row, 0, bits, List.of("101"));
        assertEquals(List.of("101"), ColumnValues.take(row, 0, bits));
        for (String wrong : List.of("10", "1010")) {
            List<String> value = List.of(wrong);
            assertThrows(
                    IllegalArgumentException.class, () -> ColumnValues.put(row, 0, bits, value));
        }
    }
}
