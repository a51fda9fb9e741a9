package dev.oriel.profiler;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The first answer of every report: the causes of the elapsed time, and the one that bounds the program.
///
/// With an exact tree the whole is the time of the threads that made recorded calls, from their first call to
/// their last, without idle time. Waits outside of recorded calls are no part of it. Between calls the program
/// waited for its client if it was seen waiting for requests; otherwise it ran outside recorded methods. Within calls
/// the causes are:
///
/// - forcing files to the disk, other input and output, waits for locks, sleep, and pauses of the collector, as
///   far as samples show them;
/// - computation, as far as the process used the processor;
/// - files that other threads forced, read and wrote meanwhile, since a call may have waited for them;
/// - waits for other threads, and for a processor, as far as the operating system reports them;
/// - waits of unknown cause: the rest.
///
/// A wait for another thread whose calls are recorded too is no part of the whole: the work is.
///
/// Without a tree the whole is the wall-clock time or the sum of the causes, whichever is more. A wait for other
/// threads then counts only for time that nothing else explains.
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
        /// Threads were outside of recorded calls, in methods without a probe.
        OUTSIDE("outside recorded methods"),
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
        WaitTimes waits = WaitTimes.of(result);
        Totals totals = result.totals();
        boolean told = totals.cpuNanos() >= 0;
        long cpu = told ? totals.cpuNanos() : result.weight(SampleKind.CPU_TIME);
        boolean exact = result.totalNanos() > 0;
        Map<Cause, Long> nanos =
                exact ? ofCalls(result, waits, told, cpu) : ofProcess(result, waits, cpu);
        return new Bottleneck(nanos, known(result, waits, cpu > 0 || exact), totals);
    }

    private static Map<Cause, Long> ofCalls(
            ProfileResult result, WaitTimes waits, boolean told, long cpu) {
        Totals totals = result.totals();
        long inCalls = result.totalNanos();
        long handoff = waits.within(WaitKind.HANDOFF);
        long idle = waits.within(WaitKind.IDLE);
        if (totals.threads() > 1) {
            long workOfOthers = Math.min(handoff, Math.max(0, inCalls - idle - handoff));
            handoff -= workOfOthers;
            idle += workOfOthers;
        }
        inCalls = Math.max(1, inCalls - idle);
        long between = Math.max(0, totals.idleNanos());
        Map<Cause, Long> nanos = direct(waits.within());
        long pauses = result.weight(SampleKind.GC);
        nanos.put(Cause.GC, (long) (pauses * threads(result, inCalls + between)));
        fit(nanos, inCalls);
        Rest rest = new Rest(inCalls - sum(nanos), nanos);
        rest.give(Cause.CLIENT, waits.within(WaitKind.CLIENT));
        // Compilers and collectors make no recorded calls.
        boolean used = told || cpu > 0;
        rest.give(Cause.CPU, used ? cpu - totals.jvm().cpuNanos() : rest.nanos);
        rest.give(Cause.SYNC, waits.outsideForces());
        rest.give(Cause.IO, waits.outsideFiles() + Math.min(handoff, waits.outsideSockets()));
        rest.give(Cause.SLEEP, handoff);
        rest.give(Cause.PROCESSOR, totals.jvm().delayNanos());
        rest.give(Cause.OTHER, rest.nanos);
        nanos.merge(waits.served() ? Cause.CLIENT : Cause.OUTSIDE, between, Math::addExact);
        return nanos;
    }

    private static Map<Cause, Long> ofProcess(ProfileResult result, WaitTimes waits, long cpu) {
        JvmThreads jvm = result.totals().jvm();
        Map<Cause, Long> nanos = direct(waits.all());
        long waited = sum(nanos);
        long pauses = result.weight(SampleKind.GC);
        long collector = pauses > 0 ? Math.clamp(jvm.gcNanos(), 0, Math.max(0, cpu)) : 0;
        nanos.put(Cause.CPU, Math.max(0, cpu - collector));
        // A wait lasts until the thread has a processor again: that delay counts once.
        long left = result.wallNanos() - sum(nanos);
        long delay = Math.max(Math.min(jvm.delayNanos(), left), jvm.delayNanos() - waited);
        nanos.put(Cause.PROCESSOR, Math.max(0, delay));
        long running = Math.max(1, result.wallNanos() - pauses);
        double alive = Math.max(1, (double) sum(nanos) / running);
        nanos.put(Cause.GC, Math.max(collector, (long) (pauses * alive)));
        Rest rest = new Rest(Math.max(0, result.wallNanos() - sum(nanos)), nanos);
        rest.give(Cause.SLEEP, waits.all(WaitKind.HANDOFF));
        rest.give(Cause.CLIENT, waits.all(WaitKind.CLIENT));
        rest.give(Cause.OTHER, rest.nanos);
        return nanos;
    }

    /// The causes that samples of waits show.
    private static Map<Cause, Long> direct(Map<WaitKind, Long> waits) {
        Map<Cause, Long> nanos = new EnumMap<>(Cause.class);
        nanos.put(Cause.SYNC, waits.getOrDefault(WaitKind.SYNC, 0L));
        nanos.put(Cause.IO, waits.getOrDefault(WaitKind.IO, 0L));
        nanos.put(Cause.LOCKS, waits.getOrDefault(WaitKind.LOCK, 0L));
        nanos.put(Cause.SLEEP, waits.getOrDefault(WaitKind.SLEEP, 0L));
        return nanos;
    }

    /// Time without a cause so far.
    private static final class Rest {
        private long nanos;
        private final Map<Cause, Long> causes;

        Rest(long nanos, Map<Cause, Long> causes) {
            this.nanos = nanos;
            this.causes = causes;
        }

        /// Gives a cause up to `most` of the rest.
        void give(Cause cause, long most) {
            long part = Math.clamp(most, 0, Math.max(0, nanos));
            causes.merge(cause, part, Math::addExact);
            nanos -= part;
        }
    }

    /// Number of threads stopped by a pause: the average number of live threads that made recorded calls.
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
        line.append(
                switch (cause()) {
                    case CLIENT -> "Not bound by its own work, ";
                    case OUTSIDE -> "Not bound by recorded methods, mostly ";
                    case CPU, SYNC, IO, LOCKS, SLEEP, GC, PROCESSOR, OTHER -> "Bound by ";
                });
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

    /// The causes visible in the profile: kinds of samples that were present, or taken according to a fact.
    private static Set<Cause> known(ProfileResult result, WaitTimes waits, boolean cpu) {
        String taken = result.facts().getOrDefault("samples", "");
        Set<Cause> known = EnumSet.of(Cause.CLIENT, Cause.OUTSIDE, Cause.OTHER);
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
                    (cause == Cause.LOCKS && waits.all(WaitKind.LOCK) > 0)
                            || (cause == Cause.SLEEP
                                    && waits.all(WaitKind.SLEEP) + waits.all(WaitKind.HANDOFF) > 0);
            if (there || parked) {
                known.add(cause);
            }
        });
        return known;
    }
}
