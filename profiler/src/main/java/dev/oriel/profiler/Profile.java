package dev.oriel.profiler;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A running profile: from [#start(ProfileOptions)] to [#stop()]. One at a time in a JVM.
///
/// ```java
/// Profile profile = Profile.start(ProfileOptions.everything());
/// ...
/// ProfileResult result = profile.stop();
/// new HtmlReport("Nightly load").write(result, Path.of("load.html"));
/// ```
/// Any thread may stop a profile, and any number of times: the result is the same.
public final class Profile implements AutoCloseable {
    private static final Object LOCK = new Object();

    /// Number of left-out nodes that are named.
    private static final int NAMED_MAX = 10;

    /// The running profile. Guarded by the lock, as is each profile's result.
    private static @Nullable Profile running;

    private final ProfileOptions options;
    private final List<String> notes = new ArrayList<>();
    private final Sampler sampler;

    /// Null without an exact tree, as is the clock.
    private final @Nullable Session session;

    private final @Nullable ProbeRemoval removal;
    private final ProbeCost cost;
    private final @Nullable ProcessClock clock;
    private final Instant startedAt;
    private final long startNanos;
    private @Nullable ProfileResult result;
    private volatile long operations = -1;

    private Profile(ProfileOptions wanted) {
        options = possible(wanted, notes);
        if (options.calls()) {
            Weaving.restore();
        }
        cost = options.calls() ? Calibration.cost(options.tree()) : ProbeCost.NONE;
        sampler = Sampler.start(options, notes);
        clock = options.calls() ? ProcessClock.start(options) : null;
        Moment began = Moment.now();
        startedAt = began.at();
        startNanos = began.nanos();
        session =
                options.calls()
                        ? Session.begin(options.tree(), cost.pairNanos(), cost.countedNanos())
                        : null;
        removal = session != null && options.tree().leaveOut() ? ProbeRemoval.start(session) : null;
    }

    /// The options reduced to the abilities of this JVM.
    private static ProfileOptions possible(ProfileOptions wanted, List<String> notes) {
        if (wanted.tree().allocation() && !Sampler.present("jdk.management")) {
            notes.add("Allocation is not measured: the module jdk.management is missing.");
            return possible(wanted.withTree(wanted.tree().withAllocation(false)), notes);
        }
        if (wanted.tree().cpu() && !(Sampler.present("java.management") && ThreadCpu.isKnown())) {
            notes.add("The processor time of calls is not measured: the JVM does not tell it.");
            return wanted.withTree(wanted.tree().withCpu(false));
        }
        return wanted;
    }

    /// Begins to load, in a thread beside, what the first profile with samples takes in a JVM. Returns at once. For a
    /// caller with something else to do before it starts one.
    public static void prepare() {
        if (Sampler.present("jdk.jfr")) {
            JfrPreparation.start();
        }
    }

    /// Starts to record. With samples, the first start in a JVM takes some tenths of a second.
    ///
    /// @throws IllegalStateException while another profile runs
    public static Profile start(ProfileOptions options) {
        synchronized (LOCK) {
            if (running != null) {
                throw new IllegalStateException(
                        "A profile is running in this JVM, and there can be only one:"
                                + " stop it before starting another");
            }
            Profile profile = new Profile(options);
            running = profile;
            return profile;
        }
    }

    /// Ends recording and returns the result. Calls that are open count up to now.
    public ProfileResult stop() {
        synchronized (LOCK) {
            ProfileResult known = result;
            if (known == null) {
                try {
                    known = finish();
                } finally {
                    running = null;
                }
                result = known;
            }
            return known;
        }
    }

    /// Stops, and drops the result.
    @Override
    public void close() {
        stop();
    }

    /// Start of the profile, in [System#nanoTime()]: the origin of [Sample#atNanos()].
    public long startedNanos() {
        return startNanos;
    }

    /// Sets the number of the workload's operations: statements, gets, rows. Reports and comparisons divide by it.
    public void operations(long count) {
        operations = count;
    }

    private ProfileResult finish() {
        long now = System.nanoTime();
        Session ending = session;
        return ending == null ? samplesUpTo(now) : finish(ending, now);
    }

    private ProfileResult samplesUpTo(long now) {
        long nanos = now - startNanos;
        List<Sample> samples = sampler.stop(startedAt, nanos, notes);
        return new ProfileResult(
                startedAt,
                nanos,
                ProbeCost.NONE,
                0,
                List.of(),
                samples,
                Totals.UNKNOWN.withOperations(operations),
                facts(Map.of()),
                notes);
    }

    private ProfileResult finish(Session ending, long now) {
        Session.end();
        if (removal != null) {
            removal.stop();
        }
        TreeMerge tree = new TreeMerge();
        List<Recorder> recorders = ending.recorders();
        long open = 0;
        long forgotten = 0;
        long idle = 0;
        for (Recorder recorder : recorders) {
            open += recorder.depth();
            forgotten += recorder.forgotten();
            idle += recorder.idleNanos();
            tree.add(recorder, now);
        }
        ProcessClock process = clock;
        Totals totals =
                process == null ? Totals.UNKNOWN : process.stop(operations, recorders.size(), idle);
        List<Sample> samples = sampler.stop(startedAt, now - startNanos, notes);
        List<CallNode> roots = tree.nodes();
        Set<String> untimed = new TreeSet<>();
        Set<String> gone = new HashSet<>();
        for (Recorder recorder : recorders) {
            untimed.addAll(recorder.leftUntimed());
            gone.addAll(recorder.leftOut());
        }
        addRemoved(gone, roots);
        untimed.removeAll(gone);
        addNotes(roots, forgotten, untimed, gone);
        // Calibrates once more, because by now the JVM has compiled the recorder as well as it can.
        ProbeCost again = Calibration.cost(options.tree());
        return new ProfileResult(
                startedAt,
                now - startNanos,
                again.pairNanos() < cost.pairNanos() ? again : cost,
                open,
                roots,
                samples,
                totals,
                facts(ImplementedProbes.of(roots, samples)),
                notes);
    }

    private void addNotes(
            List<CallNode> roots, long forgotten, Set<String> overBudget, Set<String> gone) {
        if (forgotten > 0) {
            notes.add(
                    Figures.count(forgotten)
                            + " calls never told that they ended, and were ended with their"
                            + " callers: a probe's exit belongs into a finally.");
        }
        List<String> left = new ArrayList<>();
        for (MethodCost method : MethodCosts.of(roots, ProbeCost.NONE)) {
            long untimed = method.detail().untimedCalls();
            if (gone.contains(method.name())) {
                continue; // told already
            }
            if (overBudget.contains(method.name())) {
                left.add(method.name());
            } else if (untimed > 0) {
                notes.add(
                        method.name()
                                + ": counted only, without times, for "
                                + Figures.count(untimed)
                                + " of "
                                + Figures.count(method.calls())
                                + " calls, because it was called more than a million times a"
                                + " second and ended within 200 ns. Its time is that of its"
                                + " callers; take it from samples.");
            }
        }
        addLeftOut(left);
    }

    /// Adds one note for the methods that were left out.
    private void addRemoved(Set<String> gone, List<CallNode> roots) {
        List<MethodCost> left = new ArrayList<>();
        long calls = 0;
        for (MethodCost method : MethodCosts.of(roots, ProbeCost.NONE)) {
            if (gone.contains(method.name())) {
                left.add(method);
                calls += method.calls();
            }
        }
        left.sort(Comparator.comparingLong(MethodCost::calls).reversed());
        if (!left.isEmpty()) {
            int named = Math.min(NAMED_MAX, left.size());
            String some =
                    left.subList(0, named).stream()
                            .map(each -> each.name() + " (" + Figures.count(each.calls()) + ")")
                            .collect(Collectors.joining(", "));
            notes.add(
                    String.format(
                            Locale.ROOT,
                            "Even counting would have taken more than %.0f %% of the time in calls. Left"
                                    + " out from some time on (%d methods, after %s calls): %s%s. Later calls"
                                    + " of theirs are not in this profile; exclude them, or take their time"
                                    + " from samples.",
                            100 * options.tree().budget(),
                            left.size(),
                            Figures.count(calls),
                            some,
                            left.size() > named ? " and " + (left.size() - named) + " more" : ""));
        }
    }

    /// Adds one note for the methods whose timing was stopped because of the budget.
    private void addLeftOut(List<String> left) {
        if (!left.isEmpty()) {
            String some = String.join(", ", left.subList(0, Math.min(NAMED_MAX, left.size())));
            int more = left.size() - NAMED_MAX;
            notes.add(
                    String.format(
                            Locale.ROOT,
                            "Recording would have taken more than %.0f %% of the time in calls. Methods counted"
                                    + " only from some time on, the most called and shortest first (%d):"
                                    + " %s%s. Their time is that of their callers; include fewer methods"
                                    + " to have theirs.",
                            100 * options.tree().budget(),
                            left.size(),
                            some,
                            more > 0 ? " and " + more + " more" : ""));
        }
    }

    /// One moment on two clocks.
    private record Moment(Instant at, long nanos) {
        private static final int TRIES = 20;

        /// Samples use one clock and statements the other, so the two are read as close to each other as several
        /// tries allow.
        static Moment now() {
            Moment best = new Moment(Instant.now(), System.nanoTime());
            long least = Long.MAX_VALUE;
            for (int i = 0; i < TRIES; i++) {
                long before = System.nanoTime();
                Instant at = Instant.now();
                long after = System.nanoTime();
                if (after - before < least) {
                    least = after - before;
                    best = new Moment(at, before + (after - before) / 2);
                }
            }
            return best;
        }
    }

    /// @param implemented names of probes by method, if they differ
    private Map<String, String> facts(Map<String, String> implemented) {
        Map<String, String> facts = new TreeMap<>();
        facts.put(
                "samples",
                options.samples().stream()
                        .map(SampleKind::name)
                        .sorted()
                        .collect(Collectors.joining(" ")));
        facts.put("java", System.getProperty("java.vm.name", "") + " " + Runtime.version());
        facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        String listens = clock == null ? null : clock.listens();
        if (listens != null) {
            facts.put(Waits.LISTENS, listens);
        }
        Map<String, String> renamed = new TreeMap<>(implemented);
        renamed.putAll(Probe.renamed());
        if (!renamed.isEmpty()) {
            facts.put(WaitTimes.RENAMED, WaitTimes.written(renamed));
        }
        return facts;
    }
}
