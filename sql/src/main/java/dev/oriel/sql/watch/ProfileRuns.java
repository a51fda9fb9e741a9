package dev.oriel.sql.watch;

import dev.oriel.profiler.Profile;
import dev.oriel.profiler.ProfileOptions;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.Sample;
import dev.oriel.profiler.SampleKind;
import dev.oriel.sql.measure.OperatorTicks;
import dev.oriel.store.UsageException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The profiles started by SQL: the running one, if any, and a bounded number of the last ended ones. Safe for use
/// by any number of threads.
public final class ProfileRuns {
    static final int RUNS_MAX = 16;
    private static final String TREE = "tree";

    private final Watch watch;
    private final List<Run> ended = new ArrayList<>();
    private @Nullable Running running;
    private long numbers;

    ProfileRuns(Watch watch) {
        this.watch = watch;
    }

    private record Running(
            long number,
            String what,
            Profile profile,
            long executionsBefore,
            ProfileScope scope,
            StatementTimeline timeline) {}

    /// A profile that has ended.
    ///
    /// @param executions number of statements begun while it ran; of a part of them, number of those that ended
    /// @param samples in order of time, each with its statement
    public record Run(
            long number,
            String what,
            ProfileResult result,
            long executions,
            List<Joined> samples,
            List<String> notes) {
        /// The divisor for figures per statement.
        public double operations() {
            return Math.max(1, executions);
        }
    }

    /// A sample, the statement that its thread ran at the time, and the operator of its plan, if any.
    public record Joined(
            Sample sample, @Nullable StatementEntry statement, @Nullable String node) {}

    /// Starts a profile.
    ///
    /// @param what kinds of samples, separated by commas; `tree` alone takes none
    /// @param session number of the session whose samples are kept; null for all
    /// @param fingerprint the kind of statement whose samples are kept; null for all
    public synchronized long start(
            String what, @Nullable Long session, @Nullable String fingerprint) {
        Set<SampleKind> kinds = kinds(what);
        ProfileScope scope = ProfileScope.of(watch, session, fingerprint);
        if (!scope.isAll() && (kinds.isEmpty() || words(what).contains(TREE))) {
            throw new UsageException(
                    "The exact tree is of all sessions: for one session or statement take samples,"
                            + " such as cpu",
                    "found=" + what);
        }
        if (running != null) {
            throw busy();
        }
        Profile profile;
        try {
            profile =
                    Profile.start(
                            scope.isAll()
                                    ? ProfileOptions.exactOnly().withSamples(kinds)
                                    : ProfileOptions.samplesOnly(kinds));
        } catch (IllegalStateException e) {
            throw busy();
        }
        StatementTimeline timeline = new StatementTimeline(scope);
        numbers++;
        String name = what + scope.words();
        running = new Running(numbers, name, profile, watch.executions(), scope, timeline);
        if (!kinds.isEmpty()) {
            OperatorTicks.start(timeline);
            watch.record(timeline);
        }
        return numbers;
    }

    private static UsageException busy() {
        return new UsageException(
                "Another profile is running, and there can be only one in a JVM: CALL"
                        + " sys.profile_stop() ends one that SQL has started",
                "");
    }

    private static List<String> words(String what) {
        return List.of(what.toLowerCase(Locale.ROOT).split("[,\\s]+", -1));
    }

    private static Set<SampleKind> kinds(String what) {
        Set<SampleKind> kinds = EnumSet.noneOf(SampleKind.class);
        for (String word : words(what)) {
            switch (word) {
                case TREE, "" -> {}
                case "cpu" -> kinds.add(SampleKind.CPU);
                case "alloc" -> kinds.add(SampleKind.ALLOCATION);
                case "cpu-time" -> kinds.add(SampleKind.CPU_TIME);
                case "locks" -> kinds.add(SampleKind.MONITOR);
                case "parks" -> kinds.add(SampleKind.PARK);
                case "gc" -> kinds.add(SampleKind.GC);
                case "io" ->
                        kinds.addAll(
                                EnumSet.of(
                                        SampleKind.FILE_FORCE,
                                        SampleKind.FILE_READ,
                                        SampleKind.FILE_WRITE,
                                        SampleKind.SOCKET_READ,
                                        SampleKind.SOCKET_WRITE));
                default ->
                        throw new UsageException(
                                "A profile takes tree, cpu, cpu-time, alloc, locks, parks, io and"
                                        + " gc, with commas between",
                                "found=" + word);
            }
        }
        return kinds;
    }

    /// Ends the profile of this number; null if it does not run.
    public synchronized @Nullable Run stop(long number) {
        return number > 0 && runningNumber() == number ? stop() : null;
    }

    /// Ends the running profile.
    ///
    /// @throws UsageException if no profile is running
    public synchronized Run stop() {
        Running ending = running;
        if (ending == null) {
            throw new UsageException(
                    "No profile is running that SQL has started: CALL sys.profile_start('cpu')",
                    "");
        }
        running = null;
        StatementTimeline timeline = ending.timeline();
        addOpen(timeline, System.nanoTime());
        watch.record(null);
        ProfileResult result = ending.profile().stop();
        timeline.sort();
        List<Joined> samples = joined(ending, result);
        List<String> notes = new ArrayList<>(result.notes());
        if (timeline.dropped() > 0) {
            notes.add(
                    "Samples in "
                            + timeline.dropped()
                            + " of "
                            + timeline.seen()
                            + " statements, the last ones, are not joined to statements.");
        }
        long executions = watch.executions() - ending.executionsBefore();
        if (!ending.scope().isAll()) {
            executions = timeline.taken();
            int others = result.samples().size() - samples.size();
            notes.add(others + " samples of other statements and of the rest are left out.");
            result = part(result, samples);
        }
        Run run =
                new Run(
                        ending.number(),
                        ending.what(),
                        result,
                        executions,
                        List.copyOf(samples),
                        List.copyOf(notes));
        ended.add(run);
        if (ended.size() > RUNS_MAX) {
            ended.removeFirst();
        }
        return run;
    }

    /// Ends and discards the running profile, if any: its database is being closed, and no session can end it
    /// later.
    public synchronized void close() {
        Running ending = running;
        if (ending != null) {
            running = null;
            watch.record(null);
            ending.timeline().sort(); // stops its operator clock
            ending.profile().close();
        }
    }

    /// Adds the statements that still run at the end of the profile, as executions up to `now`.
    private void addOpen(StatementTimeline timeline, long now) {
        for (SessionActivity session : watch.sessions()) {
            SessionActivity.Seen seen = session.seen();
            Thread thread = seen.thread();
            StatementEntry statement = seen.statement();
            if (session.isActive() && thread != null && statement != null) {
                FollowedPlan plan = seen.followed();
                boolean runs = plan != null && plan.analysis().running();
                timeline.addOpen(
                        thread,
                        new StatementTimeline.Execution(
                                seen.sinceTick(),
                                now,
                                session.number(),
                                statement,
                                runs ? plan : null));
            }
        }
    }

    /// The samples within the scope, each with its statement.
    private static List<Joined> joined(Running ending, ProfileResult result) {
        List<Joined> samples = new ArrayList<>();
        for (Sample sample : result.samples()) {
            Joined joined = join(sample, ending);
            if (joined != null) {
                samples.add(joined);
            }
        }
        return samples;
    }

    /// A sample with its statement; null if it is out of scope.
    private static @Nullable Joined join(Sample sample, Running ending) {
        long at = ending.profile().startedNanos() + sample.atNanos();
        ProfileScope scope = ending.scope();
        StatementTimeline.Execution execution = ending.timeline().at(sample.thread(), at);
        if (execution == null) {
            return scope.isAll() ? new Joined(sample, null, null) : null;
        }
        if (!scope.takes(execution)) {
            return null;
        }
        FollowedPlan plan = execution.plan();
        String node = plan == null ? null : plan.name(sample, at);
        return new Joined(sample, execution.statement(), node);
    }

    /// `result` with these samples alone.
    private static ProfileResult part(ProfileResult result, List<Joined> samples) {
        List<Sample> kept = new ArrayList<>();
        samples.forEach(joined -> kept.add(joined.sample()));
        return new ProfileResult(
                result.startedAt(),
                result.wallNanos(),
                result.cost(),
                0,
                List.of(),
                kept,
                result.totals(),
                result.facts(),
                result.notes());
    }

    /// The ended profiles, oldest first.
    public synchronized List<Run> all() {
        return List.copyOf(ended);
    }

    /// The number of the running profile; 0 if none runs.
    public synchronized long runningNumber() {
        return running == null ? 0 : running.number();
    }

    /// The run with this number.
    ///
    /// @throws UsageException if there is none
    public Run run(long number) {
        for (Run run : all()) {
            if (run.number() == number) {
                return run;
            }
        }
        throw new UsageException(
                "There is no such run, or it has been forgotten: sys.profile_runs lists all",
                "run=" + number);
    }
}
