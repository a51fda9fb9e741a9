package dev.oriel.profiler;

import dev.oriel.profiler.Advice.Rule;
import dev.oriel.profiler.Sample.StackFrame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The rule for maps that never shrink. It looks at the objects allocated at a line that puts entries into a map.
/// If the map only grows, many of them survive to the end of the profile, from all of its time. If the map also
/// removes entries, only the young ones survive.
final class GrowingMaps {
    private static final Pattern PUT =
            Pattern.compile(
                    "java\\.util\\.(concurrent\\.)?\\w*(Map|Table|Set)\\."
                            + "(put\\w*|add|computeIfAbsent|compute|merge)");
    private static final int ENTRIES_MIN = 8;
    private static final int PARTS = 3;

    private GrowingMaps() {}

    static void look(ProfileResult result, List<Advice> advice) {
        Map<StackFrame, List<Sample>> sites = new HashMap<>();
        Set<StackFrame> puts = new HashSet<>();
        for (Sample sample : result.samples(SampleKind.SURVIVOR)) {
            boolean put = false;
            for (StackFrame frame : sample.stack()) {
                if (!SampleAdvice.isJdk(frame)) {
                    sites.computeIfAbsent(frame, key -> new ArrayList<>()).add(sample);
                    if (put) {
                        puts.add(frame);
                    }
                    break;
                }
                put |= PUT.matcher(frame.name()).matches();
            }
        }
        long first = Long.MAX_VALUE;
        long last = 0;
        long survived = 0;
        for (Sample sample : result.samples()) {
            if (sample.kind() == SampleKind.SURVIVOR || sample.kind() == SampleKind.ALLOCATION) {
                first = Math.min(first, sample.atNanos());
                last = Math.max(last, sample.atNanos());
            }
            if (sample.kind() == SampleKind.SURVIVOR) {
                survived = Math.max(survived, sample.atNanos());
            }
        }
        long from = first;
        // Of objects made after the last collection it is not known whether they are still
        // reachable.
        long to = Math.max(survived, first + (last - first) / 2);
        int all = result.samples(SampleKind.SURVIVOR).size();
        sites.forEach((site, samples) -> {
            if (puts.contains(site)
                    && samples.size() >= ENTRIES_MIN
                    && fromBeginningToEnd(samples, from, to)) {
                String evidence =
                        Figures.count(samples.size())
                                + " of "
                                + Figures.count(all)
                                + " sampled objects that were alive at the end were made where"
                                + " entries are put into a map, from the beginning of the profile"
                                + " to its end.";
                double share = (double) samples.size() / all;
                advice.add(new Advice(Rule.GROWING_MAP, site.toString(), share, evidence));
            }
        });
    }

    /// Whether every third of the time with allocations has its share of survivors.
    private static boolean fromBeginningToEnd(List<Sample> samples, long from, long to) {
        int[] parts = new int[PARTS];
        for (Sample sample : samples) {
            long part = (sample.atNanos() - from) * PARTS / Math.max(1, to - from);
            parts[(int) Math.max(0, Math.min(PARTS - 1, part))]++;
        }
        for (int count : parts) {
            if (count == 0) {
                return false;
            }
        }
        return true;
    }
}
