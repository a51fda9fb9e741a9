package dev.oriel.compare;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A method in A and in B, over all paths.
///
/// @param name `owner.method`
/// @param measure the compared measure
/// @param total cost with its callees; of nested calls the outermost counts
/// @param self cost without its callees
/// @param callsA entries per operation; 0 if they are not counted
/// @param callsB the same of B
/// @param calls their ratio, if both are counted and present
/// @param perCall the ratio of the cost of a call, so that `total` is `calls` times `perCall`
/// @param tooShort whether its calls are so short on both sides that recording them drowns their time,
///     or were counted alone: then only their number is judged
public record MethodChange(
        String name,
        Measure measure,
        Difference total,
        Difference self,
        double callsA,
        double callsB,
        @Nullable Interval calls,
        @Nullable Interval perCall,
        boolean tooShort) {
    /// Share of the ratio that a factor must explain to be called the reason.
    private static final double REASON = 0.8;

    /// Greatest ratio that is told as one.
    private static final double RATIO_MAX = 100;

    /// The change, as a sentence without its full stop.
    public String sentence() {
        Change change = total.change();
        String verb = measure.verb();
        String each = measure.each();
        if (callsA == 0 && callsB == 0 && change.verdict() == Verdict.NEW) {
            return name + verb + cost(total.costB()) + each + ", in A nothing"; // that was seen
        }
        if (callsA == 0 && callsB == 0 && change.verdict() == Verdict.GONE) {
            return name + verb + "nothing, in A " + cost(total.costA()) + each;
        }
        return switch (change.verdict()) {
            case NEW -> name + " is new and" + verb + cost(total.costB()) + each;
            case GONE -> name + " is gone, which" + verb + cost(total.costA()) + each + " in A";
            case SLOWER, FASTER, SAME, UNKNOWN ->
                    name + verb + costs(change.ratio(), each) + because();
        };
    }

    /// A ratio tells nothing of a cost that hardly existed on one side.
    private String costs(Interval ratio, String each) {
        boolean hardly = ratio.value() > RATIO_MAX || ratio.value() < 1 / RATIO_MAX;
        String both = cost(total.costB()) + each + ", in A " + cost(total.costA());
        if (measure.unit().equals("%")) {
            return both
                    + ", which is "
                    + times(ratio); // a ratio alone would seem to be one of costs
        }
        return hardly ? both : times(ratio) + each;
    }

    /// The change of the measure alone, as of a method that is named before: `it allocates 3.00x [2.99, 3.01]`.
    String change() {
        return "it" + measure.verb() + times(total.change().ratio());
    }

    /// Whether its own cost would be shown as more than 0.
    boolean costs() {
        double least = measure.unit().equals("%") ? 0.005 : 0.5;
        return Math.max(self.costA(), self.costB()) >= least;
    }

    private String because() {
        if (calls == null || perCall == null || tooShort) {
            return "";
        }
        double whole = Math.log(total.change().ratio().value());
        double byCalls = Math.log(calls.value()) / whole;
        boolean more = whole > 0;
        if (byCalls >= REASON && byCalls <= 2 - REASON) {
            return ", because it is called " + (more ? "more" : "less");
        }
        if (Math.abs(byCalls) <= 1 - REASON) {
            return ", because each call " + each(more);
        }
        return ", because it is called %s times as often and each call %s %s times as much"
                .formatted(
                        figure(calls.value()),
                        measure == Measure.BYTES ? "allocates" : "costs",
                        figure(perCall.value()));
    }

    private String each(boolean more) {
        if (measure == Measure.BYTES) {
            return more ? "allocates more" : "allocates less";
        }
        return more ? "takes longer" : "takes less time";
    }

    private String cost(double value) {
        return Costs.text(value, measure);
    }

    /// `1.88x [1.79, 1.97]`.
    static String times(Interval ratio) {
        return ratio.closed()
                ? "%sx [%s, %s]"
                        .formatted(figure(ratio.value()), figure(ratio.low()), figure(ratio.high()))
                : figure(ratio.value()) + "x (no interval)";
    }

    /// Three significant digits, two below a tenth.
    static String figure(double value) {
        if (Double.isInfinite(value)) {
            return "inf";
        }
        int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
        if (value > 0 && value < 0.0995) {
            decimals = Math.min(7, 1 - (int) Math.floor(Math.log10(value)));
        }
        boolean nearOne = value > 0.95 && value < 1.05;
        return String.format(Locale.ROOT, "%." + (nearOne ? 3 : decimals) + "f", value);
    }
}
