package dev.oriel.bench.targets;

import dev.oriel.bench.results.Figures;
import dev.oriel.compare.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A demand of the design on a workload, and its computation from results.
///
/// @param workload its workload
/// @param text in words
/// @param bound the bound of the figure
/// @param atLeast whether the figure must reach the bound; else it must not exceed it
/// @param formula the figure of each of its cases, none if a case was not measured
public record Target(String workload, String text, double bound, boolean atLeast, Formula formula) {
    /// Finds the figures.
    @FunctionalInterface
    interface Formula {
        List<Check> of(Measured measured);
    }

    /// One case's figure.
    ///
    /// @param unit of the figure, empty for a quotient
    /// @param against the subject or case it is divided by, empty for none
    public record Check(String caseName, Interval figure, String unit, String against) {
        /// A quotient.
        Check(String caseName, Interval figure, String against) {
            this(caseName, figure, "", against);
        }

        /// The figure for people: `1.70x`, `1.84 us`.
        public String value() {
            double value = figure.value();
            return unit.isEmpty() ? Figures.ratio(value) : Figures.of(value, unit);
        }

        /// The ends of its interval, empty if it has none.
        public String ends() {
            if (!figure.closed()) {
                return "";
            }
            return unit.isEmpty()
                    ? Figures.ends(figure)
                    : Figures.interval(figure.low(), figure.high(), unit);
        }
    }

    /// Status of a target.
    public enum Status {
        MET("met"),
        NOT_MET("not met"),
        NOT_MEASURED("not measured");

        private final String word;

        Status(String word) {
            this.word = word;
        }

        /// The status's word in reports.
        public String word() {
            return word;
        }
    }

    /// A target on given results.
    ///
    /// @param checks one a case; the target is met when all are
    public record Outcome(Target target, List<Check> checks) {
        /// Status of the worst of its cases.
        public Status status() {
            if (checks.isEmpty()) {
                return Status.NOT_MEASURED;
            }
            return checks.stream().allMatch(target::met) ? Status.MET : Status.NOT_MET;
        }

        /// The case that is farthest from the bound on the wrong side, or the nearest to it.
        public @Nullable Check worst() {
            Check worst = null;
            for (Check check : checks) {
                if (worst == null || target.worse(check, worst)) {
                    worst = check;
                }
            }
            return worst;
        }
    }

    /// Whether one case meets it.
    public boolean met(Check check) {
        double value = check.figure().value();
        return atLeast ? value >= bound : value <= bound;
    }

    /// The bound for people, in the unit of a case's figure.
    public String bound(Check check) {
        boolean whole = bound == Math.rint(bound);
        String plain = whole ? Long.toString((long) bound) : Double.toString(bound);
        return check.unit.isEmpty() ? plain + "x" : Figures.of(bound, check.unit);
    }

    /// Whether the bound lies within the interval, so that another run may differ.
    public boolean close(Check check) {
        Interval figure = check.figure();
        return figure.closed() && figure.low() < bound && bound < figure.high();
    }

    private boolean worse(Check check, Check other) {
        double difference = check.figure().value() - other.figure().value();
        return atLeast ? difference < 0 : difference > 0;
    }
}
