package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.compare.KnownChange.Score;
import dev.oriel.compare.pairs.Invoices;
import dev.oriel.compare.pairs.Orders;
import dev.oriel.compare.pairs.Saving;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/// The score of answers, in made-up runs.
final class KnownChangeTest {
    private static final int PAIRS = 6;
    private static final int OPERATIONS = 1_000;
    private static final KnownChange SAVING = KnownChanges.in(Saving.class);
    private static final KnownChange INVOICES = KnownChanges.in(Invoices.class);
    private static final KnownChange ORDERS = KnownChanges.in(Orders.class);

    @Test
    void methodThatCostsMoreIsRight() {
        Score score = SAVING.score(compare(run -> saved(100 + run), run -> saved(200)));
        assertTrue(score.cause().startsWith(SAVING.fullName("write") + " costs "), score::cause);
        assertTrue(score.first());
        assertEquals(Set.of(), score.innocent());
    }

    @Test
    void methodThatCostsLessIsWrong() {
        Score score = SAVING.score(compare(run -> saved(200 + run), run -> saved(100)));
        assertTrue(score.cause().startsWith(SAVING.fullName("write") + " costs "), score::cause);
        assertFalse(score.first());
    }

    @Test
    void furtherCallsAreRightAndFewerAreWrong() {
        Score more = INVOICES.score(compare(run -> printed(1, run), run -> printed(13, 0)));
        assertTrue(more.cause().contains(" is called 13 times "), more::cause);
        assertTrue(more.first());
        Score fewer = INVOICES.score(compare(run -> printed(13, run), run -> printed(1, 0)));
        assertTrue(fewer.cause().contains(" instead of 13 "), fewer::cause);
        assertFalse(fewer.first());
    }

    /// The service is changed, and what it calls is not.
    @Test
    void furtherCallsByTheChangedMethodAreRight() {
        Score more = ORDERS.score(compare(run -> stored(1, run), run -> stored(2, 0)));
        assertTrue(more.cause().startsWith(ORDERS.fullName("$Shelf.put") + " "), more::cause);
        assertTrue(more.first());
        Score fewer = ORDERS.score(compare(run -> stored(2, run), run -> stored(1, 0)));
        assertTrue(fewer.cause().startsWith(ORDERS.fullName("$Shelf.put") + " "), fewer::cause);
        assertFalse(fewer.first());
    }

    @Test
    void methodOutsideOfTheChangeIsInnocent() {
        Score score = SAVING.score(compare(run -> fields(100 + run), run -> fields(200)));
        assertFalse(score.first());
        assertEquals(Set.of(SAVING.fullName("fields")), score.innocent());
    }

    private static CostNode saved(double write) {
        return call(
                SAVING.fullName("save"),
                10,
                call(SAVING.fullName("fields"), 50),
                call(SAVING.fullName("write"), write));
    }

    private static CostNode fields(double fields) {
        return call(
                SAVING.fullName("save"),
                10,
                call(SAVING.fullName("fields"), fields),
                call(SAVING.fullName("write"), 50));
    }

    private static CostNode printed(int customers, int run) {
        return call(
                INVOICES.fullName("print"),
                100 + 50 * customers + run,
                counted(INVOICES.fullName("customer"), customers));
    }

    private static CostNode stored(int puts, int run) {
        return call(
                ORDERS.fullName("$Service.store"),
                100 + 50 * puts + run,
                counted(ORDERS.fullName("$Shelf.put"), puts));
    }

    private static CostNode call(String name, double self, CostNode... below) {
        return new CostNode(name, OPERATIONS, OPERATIONS * self, 0, false, List.of(below));
    }

    /// Calls that are too short to be timed.
    private static CostNode counted(String name, int calls) {
        return new CostNode(name, calls * OPERATIONS, 10, 0, true, true, List.of());
    }

    private static Comparison compare(IntFunction<CostNode> a, IntFunction<CostNode> b) {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(run(a.apply(i)), run(b.apply(i)));
        }
        return Comparison.of(pairs);
    }

    private static ForkCosts run(CostNode operation) {
        CostNode root = new CostNode("", 0, 0, 0, false, List.of(operation));
        return new ForkCosts(
                OPERATIONS, Map.of(Measure.TIME, root.total()), Map.of(Measure.TIME, root), null);
    }
}
