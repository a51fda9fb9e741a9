package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Turns and delays of logins, by a clock of its own.
class LoginDelaysTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long now = -5 * SECOND; // as a clock that passes zero

    private final LoginDelays delays = new LoginDelays(() -> now);

    private void fail(int times, String address, String name) {
        for (int i = 0; i < times; i++) {
            delays.failed(address, name);
        }
    }

    @Test
    void someFailuresAreFree() {
        fail(2, "a", "n");
        assertEquals(0, delays.reserve("a", "n"));
    }

    @Test
    void delaysOfAnAddressDoubleUpToFiveSeconds() {
        fail(3, "a", "n");
        for (long millis : new long[] {100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000}) {
            assertEquals(TimeUnit.MILLISECONDS.toNanos(millis), delays.reserve("a", "other"));
            now += 10 * SECOND;
            delays.failed("a", "n");
        }
        fail(100_000, "a", "n");
        assertEquals(5 * SECOND, delays.reserve("a", "other"));
    }

    @Test
    void loginsAtTheSameTimeTakeTurnsAndSomeAreRefused() {
        fail(20, "a", "n");
        assertEquals(5 * SECOND, delays.reserve("a", "x"));
        assertEquals(10 * SECOND, delays.reserve("a", "y"));
        assertEquals(-1, delays.reserve("a", "z"));
        assertEquals(0, delays.reserve("b", "z"));
        now += 5 * SECOND;
        assertEquals(10 * SECOND, delays.reserve("a", "z"));
    }

    @Test
    void aNameIsDelayedASecondFromEveryAddressUntilItsOwnerComes() {
        fail(20, "a", "n");
        for (int i = 0; i < 5; i++) {
            assertEquals(SECOND, delays.reserve("b", "n"));
        }
        delays.succeeded("n");
        assertEquals(0, delays.reserve("b", "n"));
        assertTrue(delays.reserve("a", "n") > 0, "its address is still the one that has guessed");
    }

    @Test
    void quietMinutesEndIt() {
        fail(20, "a", "n");
        now += TimeUnit.MINUTES.toNanos(10) + 1;
        assertEquals(0, delays.reserve("a", "n"));
        delays.failed("a", "n");
        assertEquals(0, delays.reserve("a", "n"));
    }
}
