package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The text format of hprof, the profiler that came with the JDK up to version 8, for tools and eyes
/// that know it: a header, the stacks, then `CPU SAMPLES` of the samples and `CPU TIME (ms)` of the
/// exact tree, where the count is calls and the percentage self time. Field widths and words follow
/// `hprof_io.c` of JDK 8.
///
/// A stack is cut to its innermost frames, and equal ones are added up. A table without rows is left
/// out. The flight recorder does not tell source files: they are named after the outermost class.
/// Frames of the exact tree have no line.
///
/// @param depth frames of a stack; hprof's own default is 4
/// @param cutoff rows with a smaller share than this (0.01 is a percent) are left out
/// @param zone what the dates are told in
public record HprofReport(int depth, double cutoff, ZoneId zone) implements Report {
    private static final int FIRST_TRACE = 300_001;
    private static final String RULE = "\n--------\n\n";

    /// Depth 4 and cutoff 0.0001, as hprof has them, and the zone of the machine.
    public HprofReport() {
        this(4, 0.0001, ZoneId.systemDefault());
    }

    /// One row: a stack, how often, and at what cost.
    private static final class Row {
        final int trace;
        final List<String> frames;
        final String method;
        long count;
        long cost;

        Row(int trace, List<String> frames, String method) {
            this.trace = trace;
            this.frames = frames;
            this.method = method;
        }
    }

    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        Map<List<String>, Row> rows = new LinkedHashMap<>();
        for (Sample sample : result.samples(SampleKind.CPU)) {
            add(rows, FIRST_TRACE, sample);
        }
        List<Row> samples = List.copyOf(rows.values());
        rows.clear();
        addTree(rows, FIRST_TRACE + samples.size(), result.roots(), new ArrayDeque<>());
        List<Row> times = List.copyOf(rows.values());

        String date = date(result.startedAt().plusNanos(result.wallNanos()));
        out.append("JAVA PROFILE 1.0.1, created ").append(date).append("\n\n");
        prelude(result, out);
        out.append(RULE);
        traces(samples, out);
        traces(times, out);
        table("CPU SAMPLES", samples, 1, date, out);
        table("CPU TIME (ms)", times, 1_000_000, date, out);
    }

    private void add(Map<List<String>, Row> rows, int firstTrace, Sample sample) {
        List<String> frames = new ArrayList<>();
        for (StackFrame frame : sample.stack()) {
            if (frames.size() == depth) {
                break;
            }
            String line = frame.line() > 0 ? String.valueOf(frame.line()) : "Unknown line";
            frames.add(frame.name() + "(" + source(frame.owner()) + ":" + line + ")");
        }
        String method = sample.stack().isEmpty() ? "" : sample.stack().getFirst().name();
        Row row = row(rows, firstTrace, frames, method);
        row.count += sample.weight();
        row.cost += sample.weight();
    }

    private void addTree(
            Map<List<String>, Row> rows, int firstTrace, List<CallNode> nodes, Deque<String> path) {
        for (CallNode node : nodes) {
            path.addFirst(node.name() + "(" + source(node.owner()) + ":Unknown line)");
            List<String> frames = path.stream().limit(depth).toList();
            Row row = row(rows, firstTrace, frames, node.name());
            row.count += node.calls();
            row.cost += node.selfNanos();
            addTree(rows, firstTrace, node.children(), path);
            path.removeFirst();
        }
    }

    private static Row row(
            Map<List<String>, Row> rows, int firstTrace, List<String> frames, String method) {
        return rows.computeIfAbsent(frames, key -> new Row(firstTrace + rows.size(), key, method));
    }

    private static void prelude(ProfileResult result, Appendable out) throws IOException {
        out.append("Recorded by the Oriel profiler in the text format of hprof.\n");
        out.append("TRACE: a stack, innermost frame first. CPU SAMPLES: how often a stack was\n");
        out.append("seen running. CPU TIME: calls and their exact wall-clock time without the\n");
        out.append("calls they made, summed over threads; its total is in milliseconds.\n");
        for (String note : result.notes()) {
            out.append(note).append('\n');
        }
    }

    private static void traces(List<Row> rows, Appendable out) throws IOException {
        for (Row row : rows) {
            out.append("TRACE ").append(String.valueOf(row.trace)).append(":\n");
            for (String frame : row.frames) {
                out.append('\t').append(frame).append('\n');
            }
            if (row.frames.isEmpty()) {
                out.append("\t<empty>\n");
            }
        }
    }

    private void table(String name, List<Row> all, long unit, String date, Appendable out)
            throws IOException {
        if (all.isEmpty()) {
            return;
        }
        List<Row> rows = new ArrayList<>(all);
        rows.sort(
                Comparator.comparingLong((Row row) -> -row.cost)
                        .thenComparingInt(row -> row.trace));
        long total = 0;
        for (Row row : rows) {
            total += row.cost;
        }
        out.append(name).append(" BEGIN (total = ").append(String.valueOf(total / unit));
        out.append(") ").append(date).append('\n');
        out.append("rank   self  accum   count trace method\n");
        long accumulated = 0;
        int rank = 0;
        for (Row row : rows) {
            double share = total == 0 ? 0 : (double) row.cost / total;
            if (share < cutoff) {
                break;
            }
            accumulated += row.cost;
            double accum = total == 0 ? 0 : (double) accumulated / total;
            out.append(
                    String.format(
                            Locale.ROOT,
                            "%4d %5.2f%% %5.2f%% %7d %5d %s\n",
                            ++rank,
                            100 * share,
                            100 * accum,
                            row.count,
                            row.trace,
                            row.method.isEmpty() ? "<empty trace>" : row.method));
        }
        out.append(name).append(" END\n");
    }

    /// A date as C's `ctime` writes it, without the line end.
    private String date(Instant instant) {
        ZonedDateTime at = instant.atZone(zone);
        return String.format(Locale.ROOT, "%1$ta %1$tb %2$2d %1$tT %1$tY", at, at.getDayOfMonth());
    }

    private static String source(String owner) {
        String name = owner.substring(owner.lastIndexOf('.') + 1);
        int nested = name.indexOf('$');
        name = nested > 0 ? name.substring(0, nested) : name;
        return name.isEmpty() ? "<Unknown Source>" : name + ".java";
    }
}
