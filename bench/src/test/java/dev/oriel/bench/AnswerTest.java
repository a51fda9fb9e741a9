package dev.oriel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

/// What two answers may differ in.
class AnswerTest {
    /// Sums of prices in floating point, and quotients of four places or sixteen, are the same; a cent
    /// is not.
    @Test
    void answersAreComparedWithATolerance() {
        for (long cents = 1; cents < 3_000_000_000_000L; cents = cents * 7 + 3) {
            double exact = cents / 10_000.0;
            assertEquals(Answer.rounded(exact), Answer.rounded(exact * (1 + 1e-14)));
            assertEquals(Answer.rounded(exact), Answer.rounded(exact * (1 - 1e-14)));
        }
        assertEquals(Answer.rounded(25.5758), Answer.rounded(25.5757999));
        assertNotEquals(Answer.rounded(25.57), Answer.rounded(25.58));
        assertNotEquals(Answer.rounded(37_734_107.00), Answer.rounded(37_734_107.01));
    }
}
