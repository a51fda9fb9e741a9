package dev.oriel.bench.targets;

import dev.oriel.bench.results.Results.Result;
import dev.oriel.bench.targets.Target.Check;
import dev.oriel.compare.Interval;
import java.util.ArrayList;
import java.util.List;

/// The targets of the profiler.
final class ProfilerTargets {
    private static final double LONG_NANOS = 2_000;
    private static final String ALWAYS_ON = "profiler/always-on/.*";

    static final List<Target> ALL =
            List.of(
                    atMost("a timed call <= 50 ns", 50, m -> calls(m, "timed")),
                    atMost("a counted call <= 6 ns", 6, m -> calls(m, "counted")),
                    atMost("a probe that is off: nothing (<= 0.1 ns)", 0.1, ProfilerTargets::off),
                    atMost(
                            "always on: <= 1 % of a statement of 2 us or more",
                            1.01, m -> statements(m, true)),
                    atMost(
                            "always on: <= 10 ns of a shorter statement",
                            10,
                            m -> statements(m, false)));

    private ProfilerTargets() {}

    private static Target atMost(String text, double bound, Target.Formula formula) {
        return new Target("profiler", text, bound, false, formula);
    }

    private static List<Check> calls(Measured measured, String which) {
        return measured.each(
                "profiler/call/" + which,
                table ->
                        table.ours() == null
                                ? null
                                : new Check(
                                        table.caseName(),
                                        of(table.ours().result(), 1, 0),
                                        "ns",
                                        ""));
    }

    private static List<Check> off(Measured measured) {
        List<Check> checks = new ArrayList<>();
        for (Result ratio : measured.results("profiler/call/off", "on/off")) {
            Result loop = measured.result(ratio.caseName(), ratio.subject(), "loop");
            if (ratio.ours() && loop != null) {
                checks.add(new Check(ratio.caseName(), of(ratio, loop.value(), -1), "ns", ""));
            }
        }
        return checks;
    }

    private static List<Check> statements(Measured measured, boolean isLong) {
        List<Check> checks = new ArrayList<>();
        for (Result ratio : measured.results(ALWAYS_ON, "on/off")) {
            Result off = measured.result(ratio.caseName(), ratio.subject(), "off");
            if (off != null && off.value() >= LONG_NANOS == isLong) {
                Interval figure = isLong ? of(ratio, 1, 0) : of(ratio, off.value(), -1);
                checks.add(new Check(ratio.caseName(), figure, isLong ? "" : "ns", ""));
            }
        }
        return checks;
    }

    /// The figure and its ends, scaled and shifted.
    private static Interval of(Result result, double factor, double moved) {
        Double low = result.low();
        Double high = result.high();
        return new Interval(
                factor * (result.value() + moved),
                low == null ? 0 : factor * (low + moved),
                high == null ? Double.POSITIVE_INFINITY : factor * (high + moved),
                result.samples().size());
    }
}
