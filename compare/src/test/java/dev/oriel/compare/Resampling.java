package dev.oriel.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Draws comparisons from recorded rounds, and counts how often they were right.
final class Resampling {
    private static final int COMPARISONS = 200;
    private static final int GUARD_EVERY = 3;

    /// A forecast beyond this is not tried out.
    private static final int PAIRS_TRIED_MAX = 400;

    private final List<Map<String, ForkCosts>> rounds = new ArrayList<>();
    private final List<ProofCase> cases;
    private final int pairsEach;

    /// What came out.
    ///
    /// @param rounds that were drawn from
    /// @param changed comparisons of programs that differ
    /// @param named of those, in how many the method was named
    /// @param covered of those, in how many the interval held the truth
    /// @param both of those, in how many both
    /// @param same comparisons of the program with itself
    /// @param alarms of those, in how many anything was found to differ
    record Tally(int rounds, int changed, int named, int covered, int both, int same, int alarms) {}

    /// How good forecasts were.
    ///
    /// @param unknown comparisons that could not tell, and forecast how many pairs would
    /// @param tried of those, the forecasts that were tried out; others were beyond the greatest
    ///     number
    /// @param told of those, in how many as many pairs told, and rightly
    /// @param toldByHalf of those, in how many half as many would have told
    /// @param median of the forecasts
    record Forecasts(int unknown, int tried, int told, int toldByHalf, int median) {}

    /// From the lines of [ProofRun]s; `pairsEach` pairs make a comparison.
    Resampling(List<String> lines, List<ProofCase> cases, int pairsEach) {
        this.cases = cases;
        this.pairsEach = pairsEach;
        Map<Integer, Map<String, ForkCosts>> byRound = new HashMap<>();
        for (String line : lines) {
            ProofRun run = ProofRun.parse(line);
            byRound.computeIfAbsent(run.round(), key -> new HashMap<>())
                    .put(run.program(), run.costs());
        }
        rounds.addAll(byRound.values());
        rounds.removeIf(round -> !round.keySet().containsAll(ProofCase.programs(cases)));
    }

    Tally run(long seed) {
        Random random = new Random(seed);
        int named = 0;
        int covered = 0;
        int both = 0;
        int alarms = 0;
        for (int i = 0; i < COMPARISONS; i++) {
            ProofCase one = cases.get(i % cases.size());
            ProofCase.Outcome outcome =
                    one.judge(Comparison.of(drawn(random, "same-1", one.program(), "same-2")));
            named += outcome.named() ? 1 : 0;
            covered += outcome.covered() ? 1 : 0;
            both += outcome.named() && outcome.covered() ? 1 : 0;
            List<String> names = new ArrayList<>(ProofCase.SAME);
            Collections.shuffle(names, random);
            Pairs same = drawn(random, names.get(0), names.get(1), names.get(2));
            alarms += Comparison.of(same).differs() ? 1 : 0;
        }
        return new Tally(rounds.size(), COMPARISONS, named, covered, both, COMPARISONS, alarms);
    }

    /// Has comparisons that cannot tell say how many pairs would, draws as many, and looks whether
    /// those do. Rounds are put back after each draw, so that there are enough of them.
    Forecasts forecast(long seed) {
        Random random = new Random(seed);
        List<Integer> forecasts = new ArrayList<>();
        int tried = 0;
        int told = 0;
        int toldByHalf = 0;
        for (int i = 0; i < COMPARISONS; i++) {
            ProofCase one = cases.get(i % cases.size());
            Difference seen = one.total(Comparison.of(drawnWithReturn(random, one, pairsEach)));
            if (seen == null || seen.change().verdict() != Verdict.UNKNOWN) {
                continue;
            }
            int needed = pairsEach + seen.morePairs();
            forecasts.add(needed);
            if (needed <= PAIRS_TRIED_MAX) {
                tried++;
                told += tells(random, one, needed) ? 1 : 0;
                toldByHalf += tells(random, one, needed / 2) ? 1 : 0;
            }
        }
        Collections.sort(forecasts);
        int median = forecasts.isEmpty() ? 0 : forecasts.get(forecasts.size() / 2);
        return new Forecasts(forecasts.size(), tried, told, toldByHalf, median);
    }

    private boolean tells(Random random, ProofCase one, int pairs) {
        Comparison comparison =
                Comparison.of(drawnWithReturn(random, one, Math.max(Compare.PAIRS_MIN, pairs)));
        Difference seen = one.total(comparison);
        Verdict right = one.truth() > 1 ? Verdict.SLOWER : Verdict.FASTER;
        return seen != null && seen.change().verdict() == right;
    }

    private Pairs drawnWithReturn(Random random, ProofCase one, int count) {
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < count; i++) {
            Map<String, ForkCosts> round = rounds.get(random.nextInt(rounds.size()));
            pairs.add(costs(round, "same-1"), costs(round, one.program()));
            if (i % GUARD_EVERY == 0) {
                pairs.guard(costs(round, "same-2"));
            }
        }
        return pairs;
    }

    private Pairs drawn(Random random, String a, String b, String guard) {
        List<Map<String, ForkCosts>> order = new ArrayList<>(rounds);
        Collections.shuffle(order, random);
        Pairs pairs = Pairs.inTurns().timedByCalls();
        for (int i = 0; i < pairsEach; i++) {
            Map<String, ForkCosts> round = order.get(i);
            pairs.add(costs(round, a), costs(round, b));
            if (i % GUARD_EVERY == 0) {
                pairs.guard(costs(round, guard));
            }
        }
        return pairs;
    }

    private static ForkCosts costs(Map<String, ForkCosts> round, String name) {
        ForkCosts costs = round.get(name);
        if (costs == null) {
            throw new IllegalStateException("The round lacks " + name);
        }
        return costs;
    }
}
