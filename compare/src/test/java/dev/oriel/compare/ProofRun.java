package dev.oriel.compare;

import dev.oriel.compare.fixture.Shop;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// A recorded run of [Shop], as one line of text: what the comparison needs of it and no more.
///
/// ```
/// round program operations wall cpu bytes | calls self of five methods
/// ```
record ProofRun(int round, String program, ForkCosts costs) {
    private static final String SHOP = Shop.class.getName() + ".";
    static final List<String> METHODS = List.of("sell", "parse", "find", "lookup", "format");

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
        CostNode lookup = timed("lookup", numbers, List.of());
        CostNode find = timed("find", numbers, List.of(lookup));
        List<CostNode> below =
                List.of(
                        timed("parse", numbers, List.of()),
                        find,
                        timed("format", numbers, List.of()));
        CostNode sell = timed("sell", numbers, below);
        ForkCosts costs =
                new ForkCosts(
                        numbers[2],
                        Map.of(
                                Measure.WALL, numbers[3],
                                Measure.CPU, numbers[4],
                                Measure.BYTES, numbers[5]),
                        Map.of(Measure.TIME, new CostNode("", 0, 0, 0, false, List.of(sell))),
                        null);
        return new ProofRun(Integer.parseInt(words[0]), words[1], costs);
    }

    private static CostNode timed(String method, double[] numbers, List<CostNode> children) {
        int at = 6 + 2 * METHODS.indexOf(method);
        return new CostNode(SHOP + method, (long) numbers[at], numbers[at + 1], 0, false, children);
    }
}
