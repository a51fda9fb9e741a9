package dev.oriel.store.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class SyncChoiceTest {
    private final SyncChoice choice = new SyncChoice();

    /// Returns the number of records written directly, for given durations of a sync and of a direct write.
    private int direct(int records, long syncNanos, long directNanos) {
        int direct = 0;
        for (int i = 0; i < records; i++) {
            boolean now = choice.isDirect();
            direct += now ? 1 : 0;
            choice.took(now, now ? directNanos : syncNanos);
        }
        return direct;
    }

    @Test
    void triesBothInTurn() {
        assertEquals(8, direct(16, 200, 100));
    }

    @Test
    void takesTheFaster() {
        assertTrue(direct(1000, 200, 100) > 980);
        assertTrue(new SyncChoiceTest().direct(1000, 100, 200) < 20);
    }

    @Test
    void doesNotBelieveWhatIsManyTimesFaster() {
        assertTrue(direct(1000, 360, 11) < 20);
    }

    /// Another load on the disk may reverse the choice.
    @Test
    void looksAgainSometimes() {
        assertTrue(direct(4_112, 200, 100) > 4_000);
        assertTrue(direct(5_000, 100, 200) < 20);
        assertFalse(choice.isDirect());
    }
}
