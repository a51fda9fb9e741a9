package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.graph.range.AddedRows;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Recording of rows that are added while others are read, and its end.
final class AddedRowsTest {
    private static final long PLACE = 7;
    private static final long ROWS = 100_000;

    private final AddedRows rows = new AddedRows();

    /// Number of added rows that are still recorded.
    private long known() {
        return LongStream.range(0, ROWS).filter(row -> rows.isSince(row, 0)).count();
    }

    @Test
    void whoReadsDoesNotMeetWhatIsAddedAfterHim() {
        assertFalse(rows.isRead(PLACE));
        AddedRows.Reading before = rows.read(PLACE);
        assertTrue(rows.isRead(PLACE));
        assertFalse(rows.isRead(PLACE + 1));
        rows.add("a");
        AddedRows.Reading after = rows.read(PLACE);
        rows.add("b");
        assertEquals(
                List.of(true, true, false),
                List.of("a", "b", "c").stream().map(r -> rows.isSince(r, before.since())).toList());
        assertEquals(
                List.of(false, true, false),
                List.of("a", "b", "c").stream().map(r -> rows.isSince(r, after.since())).toList());
        assertTrue(before.isOf(rows));
        assertFalse(before.isOf(new AddedRows()));
    }

    @Test
    void rowsThatAllWhoReadKnowAlreadyAreForgotten() {
        for (long row = 0; row < ROWS; row++) {
            AddedRows.Reading reading = rows.read(row);
            rows.add(row);
            reading.end();
        }
        assertTrue(known() < 5_000, () -> known() + " rows");
        rows.end(true, 0);
        assertTrue(rows.isEmpty());
        assertFalse(rows.isRead(ROWS - 1));
        AddedRows.Reading first = rows.read(PLACE);
        for (long row = 0; row < ROWS; row++) {
            rows.add(row);
        }
        assertEquals(ROWS, known());
        rows.end(true, 0); // the reader continues
        assertEquals(ROWS, known());
        first.end();
        rows.end(true, 0);
        assertTrue(rows.isEmpty());
    }

    @Test
    void rowsThatAreRolledBackWereNotAdded() {
        AddedRows.Reading reading = rows.read(PLACE);
        rows.add("a");
        rows.end(true, 0);
        long begun = rows.now();
        rows.add("b");
        rows.end(false, begun);
        assertTrue(rows.isSince("a", reading.since()));
        assertFalse(rows.isSince("b", reading.since()));
    }
}
