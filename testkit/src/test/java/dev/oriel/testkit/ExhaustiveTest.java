package dev.oriel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExhaustiveTest {
    @Test
    void everyCombinationComesOnce() {
        List<String> seen = new ArrayList<>();
        Exhaustive all = new Exhaustive();
        do {
            seen.add(all.choose(2) + "" + all.choose(3));
        } while (all.next());
        assertEquals(List.of("00", "01", "02", "10", "11", "12"), seen);
        assertEquals(6, all.cases());
    }

    @Test
    void laterDecisionsMayDependOnEarlierOnes() {
        List<String> seen = new ArrayList<>();
        Exhaustive all = new Exhaustive();
        do {
            String letter = all.pick(List.of("a", "b", "c"));
            String text = letter.equals("b") ? letter + all.flag() : letter;
            seen.add(text + all.choose(1));
        } while (all.next());
        assertEquals(List.of("a0", "bfalse0", "btrue0", "c0"), seen);
    }

    @Test
    void aCaseWithFewerDecisionsComesOnceToo() {
        List<Integer> firsts = new ArrayList<>();
        Exhaustive all = new Exhaustive();
        do {
            int first = all.choose(2);
            firsts.add(first);
            if (first == 0) {
                all.choose(2);
            }
        } while (all.next());
        assertEquals(List.of(0, 0, 1), firsts);
    }

    @Test
    void aTestWithoutDecisionsHasOneCase() {
        assertFalse(new Exhaustive().next());
    }

    @Test
    void decisionsThatDependOnSomethingElseAreRefused() {
        Exhaustive all = new Exhaustive();
        all.choose(2);
        all.choose(2);
        all.next();
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> all.choose(3));
        assertEquals(
                "decision 1 had 2 alternatives in the case before, and now 3",
                refused.getMessage());
    }
}
