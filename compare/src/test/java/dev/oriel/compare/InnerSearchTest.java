package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class InnerSearchTest {
    private static final int RUNS = 10;
    private final Random random = new Random(42);

    @Test
    void theDeepestCalleeWithTheDifferenceIsFound() {
        Inner inner =
                find(
                        () -> operation(node("p.Text.value", 5, node("p.Text.number", 30)), 65),
                        () -> operation(node("p.Text.value", 5, node("p.Text.number", 40)), 65),
                        110);
        assertNotNull(inner);
        assertEquals("p.Text.number", inner.name());
        assertEquals(List.of("p.Text.parse", "p.Text.value", "p.Text.number"), inner.path());
        assertEquals(30, inner.costA(), 4);
        assertEquals(40, inner.costB(), 4);
    }

    @Test
    void aDifferenceOfTheMethodItselfIsNotThatOfItsCallees() {
        assertNull(
                find(
                        () -> operation(node("p.Text.number", 50), 50),
                        () -> operation(node("p.Text.number", 50), 60),
                        110));
    }

    @Test
    void fewSamplesTellNothing() {
        assertNull(
                find(
                        () -> tree(1, node("p.Text.number", 3)),
                        () -> tree(1, node("p.Text.number", 9)),
                        110));
    }

    @Test
    void methodsOfTheJdkArePartOfTheirCallers() {
        Inner inner =
                find(
                        () ->
                                operation(
                                        node(
                                                "java.util.ArrayList.forEach",
                                                20,
                                                node("p.Text.word", 20)),
                                        60),
                        () ->
                                operation(
                                        node(
                                                "java.util.ArrayList.forEach",
                                                20,
                                                node("p.Text.word", 40)),
                                        60),
                        120);
        assertNotNull(inner);
        assertEquals(List.of("p.Text.parse", "p.Text.word"), inner.path());
    }

    @Test
    void aRecursiveMethodIsOneCallee() {
        Inner inner =
                find(
                        () ->
                                operation(
                                        node(
                                                "p.Tree.visit",
                                                10,
                                                node("p.Tree.visit", 10, node("p.Tree.visit", 10))),
                                        70),
                        () ->
                                operation(
                                        node(
                                                "p.Tree.visit",
                                                15,
                                                node("p.Tree.visit", 15, node("p.Tree.visit", 15))),
                                        70),
                        115);
        assertNotNull(inner);
        assertEquals(List.of("p.Text.parse", "p.Tree.visit"), inner.path());
    }

    /// A callee with most of the samples would have most of a difference by chance. Samples move between methods from
    /// run to run, as the compiler inlines them or not.
    @Test
    void unchangedCalleesAreSeldomNamed() {
        int named = 0;
        for (int i = 0; i < 500; i++) {
            Inner inner =
                    find(
                            () -> {
                                int moved = random.nextInt(20);
                                return operation(node("p.Text.number", 60 - moved), 40 + moved);
                            },
                            () -> {
                                int moved = random.nextInt(20);
                                return operation(node("p.Text.number", 60 - moved), 50 + moved);
                            },
                            110);
            named += inner == null ? 0 : 1;
        }
        assertTrue(named <= 5, named + " of 500 named an innocent callee; seed 42");
    }

    /// As if the JVM filled in exceptions, during which it takes no samples.
    @Test
    void timeWithoutSamplesIsThatOfNoCallee() {
        assertNull(
                find(
                        () -> operation(node("p.Text.number", 90), 10),
                        () -> operation(node("p.Text.number", 90), 12),
                        140));
        assertNull(
                find(
                        () -> operation(node("p.Text.number", 90), 12),
                        () -> operation(node("p.Text.number", 90), 10),
                        70));
    }

    /// The runs differ so much that it is unknown whether some of the time has no samples.
    @Test
    void calleeWhoseShareBecameLessIsNotThatOfFurtherTime() {
        assertNull(find(() -> disturbed(990, 10), () -> disturbed(930, 70), 140));
    }

    private CostNode disturbed(int number, int own) {
        double load = 0.3 + 2 * random.nextDouble();
        return operation(node("p.Text.number", (int) (load * number)), (int) (load * own));
    }

    @Test
    void calleeIsFoundThoughSomeOfTheTimeHasNoSamples() {
        Inner inner =
                find(
                        () -> operation(node("p.Text.number", 20), 80),
                        () -> operation(node("p.Text.number", 90), 80),
                        200);
        assertNotNull(inner);
        assertEquals("p.Text.number", inner.name());
        assertEquals(90, inner.costB(), 12);
    }

    /// One run of the program.
    private interface Tree {
        CostNode take();
    }

    private @Nullable Inner find(Tree a, Tree b, double costB) {
        Pairs pairs = Pairs.inTurns();
        AlignedNode root = new AlignedNode("", 2 * RUNS);
        for (int i = 0; i < RUNS; i++) {
            CostNode ofA = a.take();
            CostNode ofB = b.take();
            pairs.add(run(ofA), run(ofB));
            root.add(ofA, i, 1);
            root.add(ofB, RUNS + i, 1);
        }
        root.addUp();
        double[] costs = new double[2 * RUNS];
        Arrays.fill(costs, 0, RUNS, 100);
        Arrays.fill(costs, RUNS, 2 * RUNS, costB);
        return new InnerSearch(pairs, root).find("p.Text.parse", costs);
    }

    private static ForkCosts run(CostNode tree) {
        return new ForkCosts(1, Map.of(), Map.of(Measure.CPU, tree), null);
    }

    private CostNode operation(CostNode callee, int own) {
        return tree(own, callee);
    }

    private CostNode tree(int own, CostNode callee) {
        return new CostNode(
                "",
                0,
                0,
                0,
                false,
                List.of(
                        new CostNode(
                                "p.Main.main",
                                0,
                                3,
                                3,
                                false,
                                List.of(node("p.Text.parse", own, callee)))));
    }

    /// A method with about so many samples.
    private CostNode node(String name, int samples, CostNode... callees) {
        long seen = Math.max(0, Math.round(samples + random.nextGaussian() * Math.sqrt(samples)));
        return new CostNode(name, 0, seen, seen, false, List.of(callees));
    }
}
