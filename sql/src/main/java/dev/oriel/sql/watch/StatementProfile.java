package dev.oriel.sql.watch;

import dev.oriel.profiler.Probe;
import dev.oriel.profiler.Profile;
import dev.oriel.profiler.ProfileOptions;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.Sample;
import dev.oriel.profiler.SampleKind;
import dev.oriel.profiler.WaitKind;
import dev.oriel.sql.measure.Analysis;
import dev.oriel.sql.measure.OperatorTicks;
import dev.oriel.sql.measure.OperatorTrack;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.planner.PlanText;
import dev.oriel.sql.run.MeasuredOperator;
import dev.oriel.store.UsageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Samples of one run of a statement, joined to the operators of its plan.
///
/// A sample belongs to the run by its thread and time, and to an operator as [FollowedPlan] describes. Samples in the
/// code that measures operators count for no method: they form the last entry, [#MEASURING].
public final class StatementProfile implements AutoCloseable {
    private static final int METHODS_MAX = 30;

    /// Assumed number of frames between an operator and its input.
    private static final int FRAMES_OF_OPERATOR = 4;

    /// Assumed number of frames of expressions, tables and the store below the innermost operator.
    private static final int FRAMES_BELOW = 20;

    /// Name of the measuring of operators among the methods.
    static final String MEASURING = "(measuring)";

    /// Classes that measure operators.
    private static final Set<String> MEASURES =
            Set.of(
                    Analysis.class.getName(),
                    OperatorTrack.class.getName(),
                    OperatorTicks.class.getName(),
                    MeasuredOperator.class.getName(),
                    Probe.class.getName());

    private final Profile profile;

    /// Whether deep stacks were asked for.
    private final boolean deep;

    private final String thread = StatementTimeline.name(Thread.currentThread());

    private StatementProfile(Profile profile, boolean deep) {
        this.profile = profile;
        this.deep = deep;
    }

    /// A method with many samples.
    ///
    /// @param node the operator; null if it was none
    record Method(String name, Analysis.@Nullable Node node, long samples) {}

    /// Samples of one stack in one operator.
    ///
    /// @param frames separated by `;`, outermost first
    /// @param node the operator; null if it was none
    record Stack(String frames, Analysis.@Nullable Node node, long samples) {}

    /// The result of a profile.
    record Seen(List<Method> methods, List<Stack> stacks, long samples, List<String> notes) {
        String verdict() {
            return samples
                    + " samples of running code"
                    + (notes.isEmpty() ? "" : ". " + String.join(" ", notes));
        }

        List<String> lines(List<PlanReport.Entry> entries) {
            List<String> lines = new ArrayList<>();
            lines.add("Methods: " + verdict());
            for (Method method : methods) {
                lines.add(
                        "  %6s  %s  in %s"
                                .formatted(
                                        PlanReport.percent(method.samples, samples),
                                        method.name,
                                        called(method.node, entries)));
            }
            return lines;
        }
    }

    /// Index of `node` among the operators of the plan; -1 if it is not one of them.
    static int place(Analysis.@Nullable Node node, List<PlanReport.Entry> entries) {
        for (int i = 0; i < entries.size(); i++) {
            if (node != null && entries.get(i).node() == node) {
                return i;
            }
        }
        return -1;
    }

    /// The plan's text for `node`.
    static String called(Analysis.@Nullable Node node, List<PlanReport.Entry> entries) {
        int place = place(node, entries);
        return place < 0 ? "the statement" : entries.get(place).line().text();
    }

    /// Starts sampling the current thread.
    ///
    /// Deep stacks have to be asked for before the first recording of a JVM, by its management, which takes longer to
    /// start than the recorder itself. So they are asked for only if the statement may have such.
    ///
    /// @throws UsageException while another profile runs
    public static StatementProfile start(Command command) {
        ProfileOptions options =
                ProfileOptions.samplesOnly(EnumSet.of(SampleKind.CPU))
                        .withSampleEvery(Duration.ofMillis(1));
        boolean deep = frames(command) > ProfileOptions.STACK_DEPTH_USUAL;
        if (!deep) {
            options = options.withStackDepthMax(ProfileOptions.STACK_DEPTH_USUAL);
        }
        try {
            return new StatementProfile(Profile.start(options), deep);
        } catch (IllegalStateException e) {
            throw new UsageException(
                    "Another profile is running, and there can be only one: CALL sys.profile_stop()"
                            + " ends it",
                    "");
        }
    }

    /// Number of frames that stacks of `command` may have, run by the current thread.
    private static int frames(Command command) {
        int depth = 0;
        for (PlanText.Line line : PlanText.lines(command)) {
            depth = Math.max(depth, line.depth() + 1);
        }
        int called = new Throwable().getStackTrace().length;
        return called + FRAMES_OF_OPERATOR * depth + FRAMES_BELOW;
    }

    /// Stops sampling and joins the samples to the nodes of `analysis`.
    public Seen stop(Analysis analysis) {
        long lasted = System.nanoTime() - profile.startedNanos();
        ProfileResult result = profile.stop();
        Map<String, Method> methods = new HashMap<>();
        Map<String, Stack> stacks = new HashMap<>();
        long samples = 0;
        long measuring = 0;
        long cut = 0;
        for (Sample sample : result.samples(SampleKind.CPU)) {
            if (!sample.thread().equals(thread)
                    || sample.atNanos() > lasted
                    || sample.stack().isEmpty()) {
                continue;
            }
            samples += sample.weight();
            cut += sample.stack().size() >= ProfileOptions.STACK_DEPTH_USUAL ? sample.weight() : 0;
            if (measures(sample)) {
                measuring += sample.weight();
                continue;
            }
            Analysis.Node node =
                    FollowedPlan.node(sample, profile.startedNanos() + sample.atNanos(), analysis);
            String name = sample.stack().getFirst().name();
            String at = "@" + System.identityHashCode(node);
            String frames = ProfileFrames.stack(sample);
            stacks.merge(
                    frames + at,
                    new Stack(frames, node, sample.weight()),
                    (a, b) -> new Stack(a.frames, a.node, a.samples + b.samples));
            methods.merge(
                    name + at,
                    new Method(name, node, sample.weight()),
                    (a, b) -> new Method(a.name, a.node, a.samples + b.samples));
        }
        List<Method> most = new ArrayList<>(methods.values());
        most.sort(Comparator.comparingLong(Method::samples).reversed().thenComparing(Method::name));
        List<Method> shown = new ArrayList<>(most.subList(0, Math.min(METHODS_MAX, most.size())));
        List<Stack> all = new ArrayList<>(stacks.values());
        if (measuring > 0) {
            shown.add(new Method(MEASURING, null, measuring));
            all.add(new Stack(MEASURING, null, measuring));
        }
        List<String> notes = new ArrayList<>(result.notes());
        if (cut > 0 && !deep) {
            notes.add(cut + " of them end at 64 frames: operators may be missing above.");
        }
        return new Seen(List.copyOf(shown), List.copyOf(all), samples, List.copyOf(notes));
    }

    /// Whether a sample is of the measuring itself: of its methods or of the JDK's that they call.
    private static boolean measures(Sample sample) {
        for (Sample.StackFrame frame : sample.stack()) {
            if (!WaitKind.isOfTheJdk(frame)) {
                return MEASURES.contains(frame.owner());
            }
        }
        return false;
    }

    @Override
    public void close() {
        profile.close();
    }
}
