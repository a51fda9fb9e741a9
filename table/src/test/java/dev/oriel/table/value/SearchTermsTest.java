package dev.oriel.table.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/// What the words of a text are.
final class SearchTermsTest {
    @Test
    void wordsAreRunsOfLettersAndDigits() {
        assertEquals(
                List.of("and", "b2", "caf\u00e9", "the"),
                SearchTerms.of("The Caf\u00e9, and \"B2\""));
        assertEquals(List.of(), SearchTerms.of(" -- "));
        assertEquals(List.of(), SearchTerms.of(null));
    }

    @Test
    void marksBelongToTheLettersThatTheyStandOn() {
        String hindi = "\u0939\u093f\u0928\u094d\u0926\u0940";
        assertEquals(List.of("a", hindi), SearchTerms.of(hindi + " a"));
        assertEquals(List.of("caf\u00e9"), SearchTerms.of("cafe\u0301"));
        String accented = "x\u0301y"; // there is no such letter
        assertEquals(List.of(accented), SearchTerms.of(accented));
    }
}
