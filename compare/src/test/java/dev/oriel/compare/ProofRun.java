package dev.oriel.compare;

import dev.oriel.compare.fixture.Shop;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// A recorded run of [Shop], as one line of text: what the comparison needs of it and no more.
///
/// ```
/// round program operations wall cpu bytes | calls self of five methods | bytes of five methods
/// ```
/// Runs that were recorded for their times lack the bytes of methods.
record ProofRun(int round, String program, ForkCosts costs) {
    private static final String SHOP = Shop.class.getName() + ".";
    static final List<String> METHODS = List.of("sell", "parse", "find", "lookup", "format");
    private static final int TIMES_AT = 6;
    private static final int BYTES_AT = TIMES_AT + 2 * METHODS.size();

    String line() {
        List<String> words = new ArrayList<>(List.of(Integer.toString(round), program));
        words.add(number(costs.operations()));
        for (Measure measure : List.of(Measure.WALL, Measure.CPU, Measure.BYTES)) {
            words.add(number(costs.wholes().getOrDefault(measure, 0.0)));
        }
        CostNode time = Objects.requireNonNull(costs.trees().get(Measure.TIME), "a tree of times");
        for (String method : METHODS) {
            double[] sums = new double[2];
            add(time, SHOP + method, sums);
            words.add(number(sums[0]));
            words.add(number(sums[1]));
        }
        CostNode bytes = Objects.requireNonNull(costs.trees().get(Measure.BYTES), "one of bytes");
        for (String method : METHODS) {
            double[] sums = new double[2];
            add(bytes, SHOP + method, sums);
            words.add(number(sums[1]));
        }
        return String.join(" ", words);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }

    private static void add(CostNode node, String name, double[] sums) {
        if (node.name().equals(name)) {
            sums[0] += node.calls();
            sums[1] += node.self();
        }
        node.children().forEach(child -> add(child, name, sums));
    }

    static ProofRun parse(String line) {
        String[] words = line.split(" ", -1);
        double[] numbers = new double[words.length];
        for (int i = 2; i < words.length; i++) {
            numbers[i] = Double.parseDouble(words[i]);
        }
        Map<Measure, CostNode> trees = new EnumMap<>(Measure.class);
        trees.put(Measure.TIME, tree(numbers, false));
        if (words.length > BYTES_AT) {
            trees.put(Measure.BYTES, tree(numbers, true));
        }
        ForkCosts costs =
                new ForkCosts(
                        numbers[2],
                        Map.of(
                                Measure.WALL, numbers[3],
                                Measure.CPU, numbers[4],
                                Measure.BYTES, numbers[5]),
                        trees,
                        null);
        return new ProofRun(Integer.parseInt(words[0]), words[1], costs);
    }

    private static CostNode tree(double[] numbers, boolean bytes) {
        CostNode lookup = node("lookup", numbers, bytes, List.of());
        List<CostNode> below =
                List.of(
                        node("parse", numbers, bytes, List.of()),
                        node("find", numbers, bytes, List.of(lookup)),
                        node("format", numbers, bytes, List.of()));
        CostNode sell = node("sell", numbers, bytes, below);
        return new CostNode("", 0, 0, 0, false, List.of(sell));
    }

    private static CostNode node(
            String method, double[] numbers, boolean bytes, List<CostNode> children) {
        int index = METHODS.indexOf(method);
        int at = TIMES_AT + 2 * index;
        double cost = bytes ? numbers[BYTES_AT + index] : numbers[at + 1];
        return new CostNode(SHOP + method, numbers[at], cost, 0, false, children);
    }
}
