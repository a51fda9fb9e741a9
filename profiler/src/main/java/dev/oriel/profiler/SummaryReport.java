package dev.oriel.profiler;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/// An overview as text: the verdict, notes, advice, and the first methods of the exact tree and of each kind of
/// samples.
///
/// @param code class files of the program, for advice
public record SummaryReport(ClassCode code) implements Report {
    private static final int METHODS = 15;
    private static final int SAMPLED = 8;
    private static final int ADVICE = 5;

    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        out.append(Bottleneck.of(result).line()).append('\n');
        Totals totals = result.totals();
        if (totals.operations() > 0) {
            out.append(Figures.count(totals.operations())).append(" operations, ");
            out.append(Figures.time(result.wallNanos() / totals.operations()));
            out.append(" of wall-clock time each.\n");
        }
        if (result.isEmpty()) {
            out.append("\nNothing was recorded: no call met a probe, and no sample was taken.\n");
        }
        if (!result.roots().isEmpty()) {
            recording(result, out);
        }
        for (String note : result.notes()) {
            out.append("note: ").append(note).append('\n');
        }
        List<Advice> advice = Advice.of(result, code);
        for (Advice each : advice.subList(0, Math.min(ADVICE, advice.size()))) {
            out.append('\n').append(each.text()).append('\n');
        }
        if (!result.roots().isEmpty()) {
            out.append('\n');
            StringBuilder methods = new StringBuilder();
            new MethodReport(METHODS).write(result, methods);
            // Without the verdict and the notes, which come first.
            out.append(methods.substring(methods.indexOf("Methods (")));
        }
        for (SampleKind kind : SampleKind.values()) {
            if (result.weight(kind) > 0) {
                out.append('\n');
                new SampleReport(kind, SAMPLED).write(result, out);
            }
        }
    }

    private static void recording(ProfileResult result, Appendable out) throws IOException {
        double share = (double) result.recordingNanos() / Math.max(1, result.computingNanos());
        out.append("Recording ").append(Figures.count(result.calls())).append(" calls took about ");
        out.append(Figures.time(result.recordingNanos()));
        out.append(
                String.format(
                        Locale.ROOT,
                        ", %.1f %% of the time in which calls computed.\n",
                        100 * share));
    }
}
