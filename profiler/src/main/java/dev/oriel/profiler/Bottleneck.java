package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The first answer of every report: what the time went into, and which of it bounds the program.
///
/// With an exact tree the whole is the time of the threads that made recorded calls, from the first of
/// them to the last. Between them the program waited for whoever calls.
/// Inside, it forced files to the disk, did other input and output, waited for locks or stood still
/// for the collector, as far as samples tell of it; computed, as far as the process used the
/// processor; and waited for something else for the rest. Without a tree the whole is the wall-clock
/// time or what samples tell of, whichever is more.
///
/// @param nanos the time of each cause; together, the whole
/// @param known the causes that the profile could see; the time of others is 0
public record Bottleneck(Map<Cause, Long> nanos, Set<Cause> known) {
    /// Where time goes.
    public enum Cause {
        /// The processor computed.
        CPU("CPU"),
        /// Files were forced to the disk.
        SYNC("sync"),
        /// Files were read and written, sockets written.
        IO("other I/O"),
        /// A thread waited for one that held a lock.
        LOCKS("locks"),
        /// The garbage collector stopped all threads.
        GC("GC"),
        /// Nothing was asked for, or something outside was waited for.
        CLIENT("waiting for the client");

        private final String title;

        Cause(String title) {
            this.title = title;
        }

        /// What the verdict calls it.
        public String title() {
            return title;
        }
    }

    /// Copies the map and the set.
    public Bottleneck {
        nanos = Map.copyOf(nanos);
        known = Set.copyOf(known);
    }

    /// What bounds the program whose profile that is.
    public static Bottleneck of(ProfileResult result) {
        Map<Cause, Long> nanos = new EnumMap<>(Cause.class);
        long sync = result.weight(SampleKind.FILE_FORCE);
        long io =
                result.weight(SampleKind.FILE_READ)
                        + result.weight(SampleKind.FILE_WRITE)
                        + result.weight(SampleKind.SOCKET_WRITE);
        long locks = result.weight(SampleKind.MONITOR) + parkedForLocks(result);
        long pauses = result.weight(SampleKind.GC);
        long inCalls = result.totalNanos();
        long threads = Math.max(1, result.totals().threads());
        long pausedNanos = pauses * (inCalls > 0 ? threads : 1);
        long blocked = sync + io + locks + pausedNanos;
        long cpu = result.totals().cpuNanos();
        if (cpu < 0) {
            cpu = result.weight(SampleKind.CPU_TIME);
        }
        long whole;
        if (inCalls > 0) {
            whole = inCalls + Math.max(0, result.totals().idleNanos());
            // Threads of the background may have been blocked for longer than calls took.
            double fits = blocked > inCalls ? (double) inCalls / blocked : 1;
            sync = (long) (fits * sync);
            io = (long) (fits * io);
            locks = (long) (fits * locks);
            pausedNanos = (long) (fits * pausedNanos);
            long rest = inCalls - sync - io - locks - pausedNanos;
            cpu = result.totals().cpuNanos() < 0 && cpu == 0 ? rest : Math.min(rest, cpu);
        } else {
            whole = Math.max(result.wallNanos(), blocked + cpu);
        }
        nanos.put(Cause.CPU, cpu);
        nanos.put(Cause.SYNC, sync);
        nanos.put(Cause.IO, io);
        nanos.put(Cause.LOCKS, locks);
        nanos.put(Cause.GC, pausedNanos);
        nanos.put(Cause.CLIENT, Math.max(0, whole - cpu - sync - io - locks - pausedNanos));
        return new Bottleneck(nanos, known(result, cpu > 0));
    }

    /// The cause of the greatest share, of equal ones the first.
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
            if (known.contains(cause)) {
                line.append(comma).append(cause.title());
                line.append(String.format(Locale.ROOT, " %.0f %%", 100 * share(cause)));
                comma = ", ";
            } else {
                unseen.append(unseen.isEmpty() ? "" : ", ").append(cause.title());
            }
        }
        if (!unseen.isEmpty()) {
            line.append(" (not seen: ").append(unseen).append(')');
        }
        return line.append('.').toString();
    }

    private long of(Cause cause) {
        return nanos.getOrDefault(cause, 0L);
    }

    /// What the profile could see: kinds of samples that a fact names as taken, or that are there.
    private static Set<Cause> known(ProfileResult result, boolean cpu) {
        String taken = result.facts().getOrDefault("samples", "");
        Set<Cause> known = EnumSet.of(Cause.CLIENT);
        if (cpu) {
            known.add(Cause.CPU);
        }
        Map<Cause, SampleKind> tells =
                Map.of(
                        Cause.SYNC, SampleKind.FILE_FORCE,
                        Cause.IO, SampleKind.FILE_READ,
                        Cause.LOCKS, SampleKind.MONITOR,
                        Cause.GC, SampleKind.GC);
        tells.forEach((cause, kind) -> {
            boolean there = taken.contains(kind.name()) || result.weight(kind) > 0;
            if (there || (cause == Cause.LOCKS && parkedForLocks(result) > 0)) {
                known.add(cause);
            }
        });
        return known;
    }

    private static long parkedForLocks(ProfileResult result) {
        long nanos = 0;
        for (Sample sample : result.samples()) {
            if (sample.kind() == SampleKind.PARK && isLock(sample)) {
                nanos = Math.addExact(nanos, sample.weight());
            }
        }
        return nanos;
    }

    /// Whether a thread was parked by a lock that another thread held, rather than by a queue, a pool
    /// or a condition, where it waits for work.
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
