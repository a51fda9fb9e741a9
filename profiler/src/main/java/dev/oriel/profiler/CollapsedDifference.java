package dev.oriel.profiler;

import java.io.IOException;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Two profiles as collapsed stacks with two numbers, before and after: the input of tools for differential flame
/// graphs. A stack missing in one profile counts 0 there.
///
/// @param before the baseline of the result
/// @param kind the samples to write; null writes the exact tree
public record CollapsedDifference(ProfileResult before, @Nullable SampleKind kind)
        implements Report {
    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        CollapsedReport report = new CollapsedReport(kind);
        Map<String, Long> first = report.lines(before);
        Map<String, Long> second = report.lines(result);
        TreeSet<String> stacks = new TreeSet<>(first.keySet());
        stacks.addAll(second.keySet());
        for (String stack : stacks) {
            out.append(stack).append(' ').append(String.valueOf(first.getOrDefault(stack, 0L)));
            out.append(' ').append(String.valueOf(second.getOrDefault(stack, 0L))).append('\n');
        }
    }
}
