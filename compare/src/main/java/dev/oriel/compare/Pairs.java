package dev.oriel.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The runs of A and B, with further runs of A as guards. Confined to one thread.
public final class Pairs {
    private final boolean taken;
    private final List<ForkCosts> a = new ArrayList<>();
    private final List<ForkCosts> b = new ArrayList<>();
    private final List<Integer> guarded = new ArrayList<>();
    private final List<ForkCosts> again = new ArrayList<>();
    private boolean byCalls;
    private @Nullable Pairs counted;
    private @Nullable Pairs alone;

    private Pairs(boolean taken) {
        this.taken = taken;
    }

    /// Runs that took turns, so that a disturbance of a run of A also disturbed the run of B beside it.
    public static Pairs inTurns() {
        return new Pairs(true);
    }

    /// Runs that took no turns, such as two files of results.
    public static Pairs apart(List<ForkCosts> a, List<ForkCosts> b) {
        if (a.isEmpty() || b.isEmpty()) {
            throw new IllegalArgumentException("Nothing to compare: a side has no run");
        }
        Pairs pairs = new Pairs(false);
        pairs.a.addAll(a);
        pairs.b.addAll(b);
        return pairs;
    }

    /// These pairs, with the time in calls as the time of the operations.
    public Pairs timedByCalls() {
        byCalls = true;
        return this;
    }

    /// These pairs, with others whose runs recorded all calls. Here the methods that are called most were left out,
    /// since recording them would have been compared too. Numbers of calls and allocation are of those others.
    Pairs withCounted(Pairs others) {
        counted = others;
        return this;
    }

    /// These pairs, with others whose runs timed one method and some of its short callees.
    Pairs withShort(Pairs others) {
        alone = others;
        return this;
    }

    /// The pairs whose runs timed one method and some of its short callees, if there are any.
    @Nullable Pairs shortCalls() {
        return alone;
    }

    /// The pairs whose runs recorded all calls.
    Pairs counted() {
        Pairs others = counted;
        return others == null ? this : others;
    }

    /// The shares that methods have in the samples of processor time of these runs, in percent.
    Pairs shares() {
        Pairs shares = new Pairs(taken);
        a.forEach(run -> shares.a.add(shares(run)));
        b.forEach(run -> shares.b.add(shares(run)));
        again.forEach(run -> shares.again.add(shares(run)));
        shares.guarded.addAll(guarded);
        return shares;
    }

    private static ForkCosts shares(ForkCosts run) {
        CostNode tree = Objects.requireNonNull(run.trees().get(Measure.CPU));
        double all = tree.total();
        CostNode shares = tree.scaled(all > 0 ? 100 / all : 0);
        return new ForkCosts(1, Map.of(), Map.of(Measure.CPU_SHARE, shares), null);
    }

    /// Adds one more pair.
    public void add(ForkCosts runOfA, ForkCosts runOfB) {
        a.add(runOfA);
        b.add(runOfB);
    }

    /// Adds one more run of A beside the last pair.
    public void guard(ForkCosts runOfA) {
        guarded.add(a.size() - 1);
        again.add(runOfA);
    }

    /// Number of pairs; of runs that took no turns, the number of runs of the smaller side.
    public int count() {
        return Math.min(a.size(), b.size());
    }

    /// Number of guards.
    public int guards() {
        return again.size();
    }

    boolean byCalls() {
        return byCalls;
    }

    boolean unpaired() {
        return !taken;
    }

    List<ForkCosts> a() {
        return a;
    }

    List<ForkCosts> b() {
        return b;
    }

    /// All runs: of A, of B, and the guards.
    List<ForkCosts> all() {
        List<ForkCosts> all = new ArrayList<>(a);
        all.addAll(b);
        all.addAll(again);
        return all;
    }

    /// The costs of one thing, in the order of [#all()], as a series.
    ///
    /// @param samples as many observations, or empty if costs are exact
    Series series(double[] costs, double[] samples) {
        return series(costs, samples, new boolean[costs.length]);
    }

    /// The costs of one thing without some runs, and those that are paired with them.
    ///
    /// @param samples as many observations, or empty if costs are exact
    /// @param without whether a run is left out
    Series series(double[] costs, double[] samples, boolean[] without) {
        boolean[] out = partners(without);
        int ofA = a.size();
        int ofB = ofA + b.size();
        double[] once = new double[costs.length];
        boolean[] pairless = out.clone();
        for (int i = 0; i < again.size(); i++) {
            once[ofB + i] = costs[guarded.get(i)];
            pairless[ofB + i] |= without[guarded.get(i)];
        }
        Series series =
                new Series(
                        some(costs, out, 0, ofA),
                        some(costs, out, ofA, ofB),
                        some(once, pairless, ofB, costs.length),
                        some(costs, pairless, ofB, costs.length),
                        !taken);
        return samples.length == 0
                ? series
                : series.sampled(some(samples, out, 0, ofA), some(samples, out, ofA, ofB));
    }

    /// Number of pairs left without the runs at places of [#all()] that `without` accepts. Of runs that took no turns,
    /// the number of runs of the smaller side.
    int count(IntPredicate without) {
        int ofA = 0;
        int ofB = 0;
        int both = 0;
        for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
            boolean hasA = i < a.size() && !without.test(i);
            boolean hasB = i < b.size() && !without.test(a.size() + i);
            ofA += hasA ? 1 : 0;
            ofB += hasB ? 1 : 0;
            both += hasA && hasB ? 1 : 0;
        }
        return taken ? both : Math.min(ofA, ofB);
    }

    private boolean[] partners(boolean[] without) {
        boolean[] out = without.clone();
        for (int i = 0; i < a.size() && taken; i++) {
            out[i] |= without[a.size() + i];
            out[a.size() + i] = out[i];
        }
        return out;
    }

    private static double[] some(double[] costs, boolean[] out, int from, int to) {
        return IntStream.range(from, to).filter(i -> !out[i]).mapToDouble(i -> costs[i]).toArray();
    }
}
