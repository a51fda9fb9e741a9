package dev.oriel.profiler;

import java.io.IOException;

/// The lines above a text report, and the legend below it.
final class TextHeading {
    private TextHeading() {}

    static void write(String what, ProfileResult result, Appendable out) throws IOException {
        out.append(Bottleneck.of(result).line()).append("\n\n");
        out.append(what).append('\n');
        out.append("wall ").append(Figures.time(result.wallNanos()));
        out.append(", calls ").append(Figures.count(result.calls()));
        out.append(", total ").append(Figures.time(result.totalNanos()));
        out.append(", recording a call costs ").append(Figures.time(result.probePairNanos()));
        out.append('\n');
        if (result.openCalls() > 0) {
            out.append("calls that had not ended: ").append(Figures.count(result.openCalls()));
            out.append('\n');
        }
        for (String note : result.notes()) {
            out.append("note: ").append(note).append('\n');
        }
        out.append('\n');
    }

    static void legend(boolean anyTooShort, ProfileResult result, Appendable out)
            throws IOException {
        out.append("\nself is the time in the method itself; net is self without the cost of");
        out.append(" recording it and the calls it makes\n");
        if (anyTooShort) {
            out.append("~ too short to time: the mean is below ");
            out.append(String.valueOf(ProfileResult.SHORTEST_TIMED_PAIRS));
            out.append(" x ").append(Figures.time(result.probePairNanos()));
            out.append(", so the count is exact and the time mostly that of recording\n");
        }
    }
}
