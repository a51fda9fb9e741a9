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

/// The text format of hprof, the profiler of the JDK up to version 8, for existing tools. It has a header, the stacks,
/// then the tables. `CPU SAMPLES`, `SITES` and `MONITOR TIME` come from samples; a wait is one of a millisecond or
/// more. `CPU TIME (ms)` comes from the exact tree: its count is calls, its percentage self time. Field widths and
/// words follow `hprof_io.c` of JDK 8.
///
/// A stack is cut to its innermost frames, and equal ones are added up. A table without rows is left
/// out. The flight recorder does not tell source files: they are named after the outermost class.
/// Frames of the exact tree have no line.
///
/// @param depth frames of a stack; hprof's own default is 4
/// @param cutoff rows with a smaller share than this (0.01 is a percent) are left out
/// @param zone time zone of the dates
public record HprofReport(int depth, double cutoff, ZoneId zone) implements Report {
    private static final int FIRST_TRACE = 300_001;
    private static final String RULE = "\n--------\n\n";

    /// hprof's defaults, depth 4 and cutoff 0.0001, and the zone of the machine.
    public HprofReport() {
        this(4, 0.0001, ZoneId.systemDefault());
    }

    /// One row: a stack with its subject, count and cost.
    private static final class Row {
        final int trace;
        final List<String> frames;
        final String subject;
        long count;
        long cost;
        long liveCount;
        long liveCost;

        Row(int trace, List<String> frames, String subject) {
            this.trace = trace;
            this.frames = frames;
            this.subject = subject;
        }
    }

    /// The key of a row: samples with equal keys are added up.
    private record Place(List<String> frames, String subject) {}

    /// The rows of a table, in the order of their first samples.
    private static final class Rows {
        private final int firstTrace;
        private final Map<Place, Row> byPlace = new LinkedHashMap<>();

        Rows(int firstTrace) {
            this.firstTrace = firstTrace;
        }

        Row of(List<String> frames, String subject) {
            return byPlace.computeIfAbsent(
                    new Place(frames, subject),
                    place -> new Row(firstTrace + byPlace.size(), frames, subject));
        }

        List<Row> all() {
            return List.copyOf(byPlace.values());
        }
    }

    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        List<Row> samples = samples(result, FIRST_TRACE, SampleKind.CPU);
        int next = FIRST_TRACE + samples.size();
        Rows tree = new Rows(next);
        addTree(tree, result.roots(), new ArrayDeque<>());
        List<Row> times = tree.all();
        List<Row> sites = samples(result, next += times.size(), SampleKind.ALLOCATION);
        List<Row> monitors = samples(result, next + sites.size(), SampleKind.MONITOR);

        String date = date(result.startedAt().plusNanos(result.wallNanos()));
        out.append("JAVA PROFILE 1.0.1, created ").append(date).append("\n\n");
        prelude(result, out);
        out.append(RULE);
        traces(samples, out);
        traces(times, out);
        traces(sites, out);
        traces(monitors, out);
        table("CPU SAMPLES", samples, 1, date, out);
        table("CPU TIME (ms)", times, 1_000_000, date, out);
        sites(sites, date, out);
        table("MONITOR TIME", monitors, 1_000_000, date, out);
    }

    private List<Row> samples(ProfileResult result, int firstTrace, SampleKind kind) {
        Rows rows = new Rows(firstTrace);
        for (Sample sample : result.samples(kind)) {
            Row row = rows.of(frames(sample), subject(sample));
            row.count += sample.count();
            row.cost += sample.weight();
        }
        if (kind == SampleKind.ALLOCATION) {
            for (Sample sample : result.samples(SampleKind.SURVIVOR)) {
                Row row = rows.of(frames(sample), subject(sample));
                row.liveCount += sample.count();
                row.liveCost += sample.weight();
            }
        }
        return rows.all();
    }

    private static String subject(Sample sample) {
        if (sample.kind() == SampleKind.MONITOR) {
            return (sample.object().isEmpty() ? "java.lang.Object" : sample.object()) + " (Java)";
        }
        if (sample.kind() != SampleKind.CPU) {
            return sample.detail();
        }
        return sample.stack().isEmpty() ? "<empty trace>" : sample.stack().getFirst().name();
    }

    private List<String> frames(Sample sample) {
        List<String> frames = new ArrayList<>();
        for (StackFrame frame : sample.stack()) {
            if (frames.size() == depth) {
                break;
            }
            String line = frame.line() > 0 ? String.valueOf(frame.line()) : "Unknown line";
            frames.add(frame.name() + "(" + source(frame.owner()) + ":" + line + ")");
        }
        return frames;
    }

    private void addTree(Rows rows, List<CallNode> nodes, Deque<String> path) {
        for (CallNode node : nodes) {
            path.addFirst(node.name() + "(" + source(node.owner()) + ":Unknown line)");
            Row row = rows.of(path.stream().limit(depth).toList(), node.name());
            row.count += node.calls();
            row.cost += node.selfNanos();
            addTree(rows, node.children(), path);
            path.removeFirst();
        }
    }

    private static void prelude(ProfileResult result, Appendable out) throws IOException {
        out.append("Recorded by the Oriel profiler in the text format of hprof.\n");
        out.append("TRACE: a stack, innermost frame first. CPU SAMPLES: how often a stack was\n");
        out.append("seen running. CPU TIME: calls and their exact wall-clock time without the\n");
        out.append(
                "calls they made, summed over threads; its total is in milliseconds. SITES: bytes\n");
        out.append("allocated, estimated from samples; live is of the sampled objects alone.\n");
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
        boolean monitors = name.startsWith("MONITOR");
        long total = total(all);
        out.append(name).append(" BEGIN (total = ").append(String.valueOf(total / unit));
        out.append(monitors ? " ms) " : ") ").append(date).append('\n');
        out.append("rank   self  accum   count trace ").append(monitors ? "monitor" : "method");
        out.append('\n');
        long accumulated = 0;
        int rank = 0;
        for (Row row : kept(all, total)) {
            accumulated += row.cost;
            out.append(
                    String.format(
                            Locale.ROOT,
                            "%4d %5.2f%% %5.2f%% %7d %5d %s\n",
                            ++rank,
                            percent(row.cost, total),
                            percent(accumulated, total),
                            row.count,
                            row.trace,
                            row.subject));
        }
        out.append(name).append(" END\n");
    }

    private void sites(List<Row> all, String date, Appendable out) throws IOException {
        if (all.isEmpty()) {
            return;
        }
        long total = total(all);
        out.append("SITES BEGIN (ordered by allocated bytes) ").append(date).append('\n');
        out.append("          percent          live          alloc'ed  stack class\n");
        out.append(" rank   self  accum     bytes objs     bytes  objs trace name\n");
        long accumulated = 0;
        int rank = 0;
        for (Row row : kept(all, total)) {
            accumulated += row.cost;
            out.append(
                    String.format(
                            Locale.ROOT,
                            "%5d %5.2f%% %5.2f%% %9d %4d %9d %5d %5d %s\n",
                            ++rank,
                            percent(row.cost, total),
                            percent(accumulated, total),
                            row.liveCost,
                            row.liveCount,
                            row.cost,
                            row.count,
                            row.trace,
                            row.subject.isEmpty() ? "java.lang.Object" : row.subject));
        }
        out.append("SITES END\n");
    }

    private static long total(List<Row> rows) {
        long total = 0;
        for (Row row : rows) {
            total = Math.addExact(total, row.cost);
        }
        return total;
    }

    /// The rows that are not cut off, in falling order of cost.
    private List<Row> kept(List<Row> rows, long total) {
        return rows.stream()
                .filter(row -> percent(row.cost, total) >= 100 * cutoff)
                .sorted(
                        Comparator.comparingLong((Row row) -> -row.cost)
                                .thenComparingInt(row -> row.trace))
                .toList();
    }

    private static double percent(long part, long total) {
        return total == 0 ? 0 : 100.0 * part / total;
    }

    /// A date as C's `ctime` writes it, without the line end.
    private String date(Instant instant) {
        ZonedDateTime at = instant.atZone(zone);
        return String.format(Locale.ROOT, "%1$ta %1$tb %2$2d %1$tT %1$tY", at, at.getDayOfMonth());
    }

    static String source(String owner) {
        String name = owner.substring(owner.lastIndexOf('.') + 1);
        int nested = name.indexOf('$');
        name = nested > 0 ? name.substring(0, nested) : name;
        return name.isEmpty() ? "<Unknown Source>" : name + ".java";
    }
}
