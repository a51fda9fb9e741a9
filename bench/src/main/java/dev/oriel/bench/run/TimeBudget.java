package dev.oriel.bench.run;

import dev.oriel.bench.Scenario;
import java.time.Duration;

/// Time limits of single JVMs, so that a run ends in time. One that takes longer is stopped, and the report says
/// so.
///
/// In the first round each has a claim: the expected time of its scenario. It may take several times as long, up to
/// [Scenario#most], as long as the claims of later JVMs still fit. So, if all claims fit into the budget, the first
/// round ends within it, however slow a subject is. If they do not fit, because less time was requested, the first
/// round is run all the same, and [Scenario#most] alone bounds it.
///
/// Not thread-safe.
final class TimeBudget {
    private static final Duration LEAST = Duration.ofSeconds(1);

    private final Duration budget;
    private final boolean binding;
    private Duration claims;

    /// @param budget time from now on
    /// @param claims sum of the claims of all JVMs of the first round
    TimeBudget(Duration budget, Duration claims) {
        this.budget = budget;
        this.claims = claims;
        this.binding = claims.compareTo(budget) <= 0;
    }

    /// Whether the first round always ends within the budget.
    boolean isBinding() {
        return binding;
    }

    /// Limit of the next JVM of the first round: its claim is used up.
    Duration first(Scenario scenario, Duration elapsed) {
        claims = claims.minus(scenario.expected());
        return again(scenario, elapsed);
    }

    /// Limit of a JVM of a later round: the time left when all claims are met.
    Duration again(Scenario scenario, Duration elapsed) {
        Duration most = scenario.most();
        if (!binding) {
            return most;
        }
        Duration left = budget.minus(elapsed).minus(claims);
        Duration least = left.compareTo(LEAST) < 0 ? LEAST : left;
        return least.compareTo(most) < 0 ? least : most;
    }

    /// Whether a later round of this duration leaves enough time for the claims.
    boolean fits(Duration round, Duration elapsed) {
        Duration others = binding ? claims : Duration.ZERO;
        return elapsed.plus(round).plus(others).compareTo(budget) < 0;
    }
}
