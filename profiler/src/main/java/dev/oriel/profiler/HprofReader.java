package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the text format of hprof, of JDK 8 and before or of [HprofReport]. `CPU SAMPLES` become CPU samples,
/// `SITES` allocation, `MONITOR TIME` waits for monitors. The stacks of `CPU TIME` hold only the innermost frames,
/// and become a tree of these frames: a call whose caller was cut off is a root. Confined to one thread; reads one
/// text.
final class HprofReader {
    private static final Pattern TRACE = Pattern.compile("TRACE (\\d+):.*");
    private static final Pattern FRAME =
            Pattern.compile("\\t(.+)\\.([^.(]+)\\(([^:]*)(?::(.*))?\\)");
    private static final Pattern TABLE =
            Pattern.compile(
                    "(CPU SAMPLES|CPU TIME \\(ms\\)|SITES|MONITOR TIME) BEGIN \\((.*?)\\).*");
    private static final Pattern TOTAL = Pattern.compile("total = (\\d+).*");
    private static final Pattern ROW =
            Pattern.compile(" *\\d+ +([\\d.]+)% +[\\d.]+% +(\\d+) +(\\d+) ?(.*)");
    private static final Pattern SITE =
            Pattern.compile(
                    " *\\d+ +[\\d.]+% +[\\d.]+% +(\\d+) +(\\d+) +(\\d+) +(\\d+) +(\\d+) (.*)");
    private static final long MILLI = 1_000_000;

    private final Map<Integer, List<StackFrame>> traces = new HashMap<>();
    private final List<Sample> samples = new ArrayList<>();
    private final TreeMerge tree = new TreeMerge();
    private @Nullable List<StackFrame> trace;
    private String table = "";
    private long total;

    private HprofReader() {}

    static ProfileResult read(String text) throws ProfileFormatException {
        HprofReader reader = new HprofReader();
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            try {
                reader.line(line);
            } catch (NumberFormatException e) {
                throw new ProfileFormatException("Line " + number + " of hprof is damaged", e);
            }
        }
        if (!reader.table.isEmpty()) {
            throw new ProfileFormatException("The table " + reader.table + " is cut off");
        }
        return new ProfileResult(
                Instant.EPOCH,
                0,
                ProbeCost.NONE,
                0,
                reader.tree.nodes(),
                reader.samples,
                Totals.UNKNOWN,
                Map.of(),
                List.of("Read from hprof text: its stacks are cut, its times are rounded."));
    }

    private void line(String line) throws ProfileFormatException {
        if (!table.isEmpty()) {
            row(line);
            return;
        }
        Matcher begin = TRACE.matcher(line);
        Matcher frame = FRAME.matcher(line);
        Matcher head = TABLE.matcher(line);
        if (begin.matches()) {
            trace = new ArrayList<>();
            traces.put(Integer.parseInt(begin.group(1)), trace);
        } else if (trace != null && frame.matches()) {
            String at = frame.group(4);
            boolean number = at != null && !at.isEmpty() && at.chars().allMatch(Character::isDigit);
            trace.add(
                    new StackFrame(
                            frame.group(1), frame.group(2), number ? Integer.parseInt(at) : 0));
        } else if (head.matches()) {
            table = head.group(1);
            Matcher sum = TOTAL.matcher(head.group(2));
            total = sum.matches() ? Long.parseLong(sum.group(1)) : 0;
        }
    }

    private void row(String line) throws ProfileFormatException {
        if (line.equals(table + " END")) {
            table = "";
            return;
        }
        if (table.equals("SITES")) {
            Matcher site = SITE.matcher(line);
            if (site.matches()) {
                add(
                        SampleKind.ALLOCATION,
                        site.group(5),
                        Long.parseLong(site.group(3)),
                        Long.parseLong(site.group(4)),
                        site.group(6));
            }
            return;
        }
        Matcher row = ROW.matcher(line);
        if (!row.matches()) {
            return;
        }
        double share = Double.parseDouble(row.group(1)) / 100;
        long count = Long.parseLong(row.group(2));
        switch (table) {
            case "CPU SAMPLES" -> add(SampleKind.CPU, row.group(3), count, count, "");
            case "MONITOR TIME" -> {
                String type = row.group(4).replace(" (Java)", "");
                long nanos = Math.round(share * total * MILLI);
                add(SampleKind.MONITOR, row.group(3), nanos, count, type);
            }
            default -> {
                TreeMerge at = tree;
                for (StackFrame frame : stack(row.group(3)).reversed()) {
                    at = at.child(frame.name());
                }
                at.add(count, Math.round(share * total * MILLI), 0, 0);
            }
        }
    }

    private void add(SampleKind kind, String trace, long weight, long count, String detail)
            throws ProfileFormatException {
        samples.add(new Sample(kind, 0, "", stack(trace), weight, count, detail));
    }

    private List<StackFrame> stack(String trace) throws ProfileFormatException {
        List<StackFrame> stack = traces.get(Integer.parseInt(trace));
        if (stack == null) {
            throw new ProfileFormatException(
                    "The table " + table + " refers to a missing trace " + trace);
        }
        return stack;
    }
}
