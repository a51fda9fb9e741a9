package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The first answer of every report: the causes of the elapsed time, and the one that bounds the program.
///
/// With an exact tree the whole is the time of the threads that made recorded calls, from their first call to
/// their last, without idle time. Between calls the program waited for its client. Within calls the causes are:
///
/// - forcing files to the disk, other input and output, waits for locks, sleep, and pauses of the collector, as
///   far as samples show them;
/// - computation, as far as the process used the processor;
/// - waits for a processor, as far as the operating system reports them;
/// - waits of unknown cause: the rest.
///
/// Without a tree the whole is the wall-clock time or the sum of the samples, whichever is more. The rest then
/// counts as waiting for a client only if a thread was seen waiting for requests.
///
/// @param nanos the time of each cause; together, the whole
/// @param known the causes that the profile could see; the time of others is 0
/// @param totals of the process
public record Bottleneck(Map<Cause, Long> nanos, Set<Cause> known, Totals totals) {
    /// Share below which a cause would be printed as 0.
    private static final double LEAST = 0.005;

    /// Share of the processor that the JVM needs for itself in any program.
    private static final double JVM_LEAST = 0.05;

    /// Causes of elapsed time.
    public enum Cause {
        /// The processor computed.
        CPU("CPU"),
        /// Files were forced to the disk.
        SYNC("sync"),
        /// Files were read and written, sockets written.
        IO("other I/O"),
        /// A thread waited for the holder of a lock.
        LOCKS("locks"),
        /// A thread slept, or waited for work of another thread.
        SLEEP("sleep and waits"),
        /// The garbage collector stopped all threads.
        GC("GC"),
        /// A thread could have run, and had no processor.
        PROCESSOR("waiting for a processor"),
        /// Time of unknown cause.
        OTHER("waiting unseen"),
        /// There was no request to work on.
        CLIENT("waiting for the client");

        private final String title;

        Cause(String title) {
            this.title = title;
        }

        /// Title of the cause in the verdict.
        public String title() {
            return title;
        }
    }

    /// Copies the map and the set.
    public Bottleneck {
        nanos = Map.copyOf(nanos);
        known = Set.copyOf(known);
    }

    /// The bottleneck of the profiled program.
    public static Bottleneck of(ProfileResult result) {
        Set<String> roots = new HashSet<>();
        result.roots().forEach(root -> roots.add(root.name()));
        Map<WaitKind, Long> waits = waits(result);
        Map<Cause, Long> nanos = new EnumMap<>(Cause.class);
        long sync = result.weight(SampleKind.FILE_FORCE);
        nanos.put(Cause.SYNC, sync);
        nanos.put(Cause.IO, waits.getOrDefault(WaitKind.IO, 0L) - sync);
        nanos.put(Cause.LOCKS, waits.getOrDefault(WaitKind.LOCK, 0L));
        nanos.put(Cause.SLEEP, waits.getOrDefault(WaitKind.SLEEP, 0L));
        long served = waits.getOrDefault(WaitKind.CLIENT, 0L);
        long pauses = result.weight(SampleKind.GC);
        long inCalls = result.totalNanos();
        Totals totals = result.totals();
        boolean told = totals.cpuNanos() >= 0;
        long cpu = told ? totals.cpuNanos() : result.weight(SampleKind.CPU_TIME);
        if (inCalls > 0) {
            inCalls = Math.max(1, inCalls - idle(result, roots));
            long idle = Math.max(0, totals.idleNanos());
            nanos.put(Cause.GC, (long) (pauses * threads(result, inCalls + idle)));
            fit(nanos, inCalls);
            long rest = inCalls - sum(nanos);
            long client = Math.min(rest, within(result, roots, WaitKind.CLIENT));
            rest -= client;
            // Compilers and collectors make no recorded calls.
            long used = told || cpu > 0 ? Math.max(0, cpu - totals.jvm().cpuNanos()) : rest;
            nanos.put(Cause.CPU, Math.min(rest, used));
            rest -= Math.min(rest, used);
            long delay = Math.min(rest, Math.max(0, totals.jvm().delayNanos()));
            nanos.put(Cause.PROCESSOR, delay);
            nanos.put(Cause.OTHER, rest - delay);
            nanos.put(Cause.CLIENT, idle + client);
        } else {
            nanos.put(Cause.GC, pauses);
            nanos.put(Cause.CPU, cpu);
            long rest = Math.max(0, result.wallNanos() - sum(nanos));
            nanos.put(served > 0 ? Cause.CLIENT : Cause.OTHER, rest);
        }
        return new Bottleneck(nanos, known(result, cpu > 0 || inCalls > 0), totals);
    }

    /// Waits of threads by kind; threads with nothing to do are not among them.
    private static Map<WaitKind, Long> waits(ProfileResult result) {
        Map<WaitKind, Long> nanos = new EnumMap<>(WaitKind.class);
        Set<String> recorded = new HashSet<>();
        result.roots().forEach(root -> addNames(root, recorded));
        for (Sample sample : result.samples()) {
            WaitKind kind = WaitKind.of(sample);
            boolean apart =
                    kind == WaitKind.SLEEP && !recorded.isEmpty() && isApart(sample, recorded);
            if (kind != WaitKind.NONE && !apart) {
                nanos.merge(kind, sample.weight(), Math::addExact);
            }
        }
        return nanos;
    }

    private static void addNames(CallNode node, Set<String> into) {
        into.add(node.name());
        node.children().forEach(child -> addNames(child, into));
    }

    /// Whether a background thread waits outside of recorded calls, in the class that it began with: its time is no
    /// part of the whole. Calls with a name of their own (`@Watched`) are not found.
    private static boolean isApart(Sample sample, Set<String> recorded) {
        if (sample.thread().equals("main")) {
            return false;
        }
        String first = "";
        for (StackFrame frame : sample.stack().reversed()) {
            if (recorded.contains(frame.name())) {
                return false;
            }
            if (WaitKind.isOfTheJdk(frame)) {
                continue;
            }
            String type = frame.owner().split("\\$", 2)[0];
            if (!first.isEmpty() && !type.equals(first)) {
                return false;
            }
            first = type;
        }
        return true;
    }

    /// Time in recorded calls in which a thread had nothing to do: it is no part of the whole.
    private static long idle(ProfileResult result, Set<String> roots) {
        return Math.min(result.totalNanos(), within(result, roots, WaitKind.IDLE));
    }

    /// Waits of the given kind within calls of the given methods.
    private static long within(ProfileResult result, Set<String> roots, WaitKind kind) {
        long nanos = 0;
        for (Sample sample : result.samples()) {
            if (WaitKind.of(sample) == kind
                    && sample.stack().stream().anyMatch(each -> roots.contains(each.name()))) {
                nanos = Math.addExact(nanos, sample.weight());
            }
        }
        return nanos;
    }

    /// Number of threads that a pause stopped: the threads that made recorded calls, as many as were alive at one
    /// time on average.
    private static double threads(ProfileResult result, long whole) {
        double most = Math.max(1, result.totals().threads());
        return result.wallNanos() <= 0
                ? most
                : Math.clamp((double) whole / result.wallNanos(), 1, most);
    }

    /// Scales the causes to the whole: background threads may have waited for longer than calls took.
    private static void fit(Map<Cause, Long> nanos, long whole) {
        long sum = sum(nanos);
        if (sum > whole) {
            nanos.replaceAll((cause, part) -> (long) ((double) part * whole / sum));
        }
    }

    private static long sum(Map<Cause, Long> nanos) {
        long sum = 0;
        for (long part : nanos.values()) {
            sum = Math.addExact(sum, part);
        }
        return sum;
    }

    /// The cause of the greatest share; of equal ones the first.
    public Cause cause() {
        Cause greatest = Cause.CPU;
        for (Cause cause : Cause.values()) {
            if (of(cause) > of(greatest)) {
                greatest = cause;
            }
        }
        return greatest;
    }

    /// The share of the whole that a cause has, between 0 and 1.
    public double share(Cause cause) {
        long whole = 0;
        for (long part : nanos.values()) {
            whole = Math.addExact(whole, part);
        }
        return whole == 0 ? 0 : (double) of(cause) / whole;
    }

    /// One line: `Bound by sync: sync 62 %, CPU 21 %, ...`.
    public String line() {
        if (share(cause()) == 0) {
            return "Nothing was recorded that tells what bounds the program.";
        }
        StringBuilder line = new StringBuilder();
        line.append(cause() == Cause.CLIENT ? "Not bound by its own work, " : "Bound by ");
        line.append(cause().title()).append(": ");
        String comma = "";
        StringBuilder unseen = new StringBuilder();
        for (Cause cause : Cause.values()) {
            if (cause == Cause.PROCESSOR && !known.contains(cause)) {
                continue; // only Linux reports it
            }
            if (known.contains(cause)) {
                if (share(cause) >= LEAST) {
                    line.append(comma).append(cause.title());
                    line.append(String.format(Locale.ROOT, " %.0f %%", 100 * share(cause)));
                    comma = ", ";
                    if (cause == Cause.CPU) {
                        line.append(jvm());
                    }
                }
            } else {
                unseen.append(unseen.isEmpty() ? "" : ", ").append(cause.title());
            }
        }
        if (!unseen.isEmpty()) {
            line.append(" (not seen: ").append(unseen).append(')');
        }
        return line.append('.').toString();
    }

    /// Share of the JVM's own threads in the processor time of the process.
    private String jvm() {
        JvmThreads jvm = totals.jvm();
        if (!jvm.isKnown() || totals.cpuNanos() <= 0) {
            return "";
        }
        StringBuilder parts = new StringBuilder();
        part("compiler", jvm.compilerNanos(), parts);
        part("collector", jvm.gcNanos(), parts);
        part("other", jvm.otherNanos(), parts);
        return parts.isEmpty() ? "" : " (the JVM's own threads used, of all CPU:" + parts + ")";
    }

    private void part(String name, long nanos, StringBuilder parts) {
        double share = (double) nanos / totals.cpuNanos();
        if (share >= JVM_LEAST) {
            parts.append(parts.isEmpty() ? " " : ", ").append(name);
            parts.append(String.format(Locale.ROOT, " %.0f %%", 100 * Math.min(1, share)));
        }
    }

    private long of(Cause cause) {
        return nanos.getOrDefault(cause, 0L);
    }

    /// The causes that the profile could see: kinds of samples that a fact names as taken, or that are present.
    private static Set<Cause> known(ProfileResult result, boolean cpu) {
        String taken = result.facts().getOrDefault("samples", "");
        Set<Cause> known = EnumSet.of(Cause.CLIENT, Cause.OTHER);
        if (result.totals().jvm().isKnown()) {
            known.add(Cause.PROCESSOR);
        }
        if (cpu) {
            known.add(Cause.CPU);
        }
        Map<Cause, SampleKind> tells =
                Map.of(
                        Cause.SYNC, SampleKind.FILE_FORCE,
                        Cause.IO, SampleKind.FILE_READ,
                        Cause.LOCKS, SampleKind.MONITOR,
                        Cause.SLEEP, SampleKind.WAIT,
                        Cause.GC, SampleKind.GC);
        tells.forEach((cause, kind) -> {
            boolean there = taken.contains(kind.name()) || result.weight(kind) > 0;
            boolean parked =
                    (cause == Cause.LOCKS && waits(result).containsKey(WaitKind.LOCK))
                            || (cause == Cause.SLEEP && waits(result).containsKey(WaitKind.SLEEP));
            if (there || parked) {
                known.add(cause);
            }
        });
        return known;
    }

    /// Whether a thread was parked by a lock that another thread held. A thread parked by a queue, a pool or a
    /// condition waits for work instead.
    static boolean isLock(Sample sample) {
        boolean acquires = false;
        for (StackFrame frame : sample.stack()) {
            if (!frame.owner().startsWith("java.util.concurrent.")) {
                if (frame.owner().startsWith("java.") || frame.owner().startsWith("jdk.")) {
                    continue;
                }
                break;
            }
            if (frame.method().startsWith("await") || frame.method().equals("take")) {
                return false;
            }
            acquires |=
                    frame.method().startsWith("acquire")
                            || frame.method().equals("lock")
                            || frame.method().startsWith("tryLock");
        }
        return acquires;
    }
}
