package dev.oriel.sql.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.Sample;
import dev.oriel.profiler.SampleKind;
import dev.oriel.sql.measure.Analysis;
import dev.oriel.sql.measure.OperatorTrack;
import dev.oriel.sql.run.HashOperator;
import dev.oriel.sql.run.ScanOperator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Times are made up. The stack determines the operator of a sample; if several operators match, the one that ran
/// at the time.
class OperatorTrackTest {
    private static final String SQL = "dev.oriel.sql.run.";

    private final Analysis.Node build = new Analysis.Node("ScanOperator");
    private final Analysis.Node probe = new Analysis.Node("ScanOperator");
    private final OperatorTrack track = new OperatorTrack();

    @Test
    void betweenTwoNotesTheLaterOneRan() {
        track.note(100, build);
        track.note(500, probe);
        assertEquals(build, track.at(50));
        assertEquals(build, track.at(100));
        assertEquals(probe, track.at(101));
        assertEquals(probe, track.at(500));
        assertEquals(null, track.at(501));
    }

    /// A profile may end while its statement creates operators, of subqueries for example.
    @Test
    void nodesMayBeReadWhileThereComeMore() {
        Analysis analysis = new Analysis(Analysis.Clock.TICKS, track);
        analysis.node("a scan", ScanOperator.class);
        analysis.node("another", ScanOperator.class);
        int seen = 0;
        for (Analysis.Node node : analysis.nodes()) {
            assertEquals("ScanOperator", node.operator);
            analysis.node("late " + seen++, HashOperator.class);
        }
        assertEquals(2, seen);
        assertEquals(4, analysis.nodes().size());
    }

    @Test
    void theNearestOfTheCandidatesIsFound() {
        Analysis.Node other = new Analysis.Node("SortOperator");
        track.note(100, build);
        track.note(200, other);
        track.note(300, other);
        track.note(400, probe);
        assertEquals(build, track.nearest(150, List.of(build, probe)));
        assertEquals(probe, track.nearest(290, List.of(build, probe)));
        assertEquals(probe, track.nearest(250, List.of(probe)));
        assertEquals(null, track.nearest(250, List.of(new Analysis.Node("ScanOperator"))));
    }

    @Test
    void aFullTrackForgetsEverySecondNote() {
        for (int i = 1; i <= OperatorTrack.NOTES_MAX + 1; i++) {
            track.note(10L * i, i <= OperatorTrack.NOTES_MAX / 2 ? build : probe);
        }
        assertEquals(OperatorTrack.NOTES_MAX / 2 + 1, track.notes());
        assertEquals(40_000, track.resolutionNanos());
        assertEquals(build, track.at(5));
        assertEquals(build, track.at(5L * OperatorTrack.NOTES_MAX - 25));
        assertEquals(probe, track.at(5L * OperatorTrack.NOTES_MAX + 25));
        assertEquals(probe, track.at(10L * OperatorTrack.NOTES_MAX));
    }

    private static Sample sample(String... outermostFirst) {
        List<Sample.StackFrame> stack = new ArrayList<>();
        for (String owner : List.of(outermostFirst).reversed()) {
            stack.add(new Sample.StackFrame(SQL + owner, "next", 1));
        }
        return new Sample(SampleKind.CPU, 0, "main", stack, 1);
    }

    /// A join that calls two scans.
    private Analysis joined() {
        Analysis analysis = new Analysis(Analysis.Clock.EXACT, track);
        analysis.begin();
        Analysis.Node join = analysis.node("join", HashOperator.class);
        Analysis.Node first = analysis.node("build", ScanOperator.class);
        Analysis.Node second = analysis.node("probe", ScanOperator.class);
        Analysis.Node before = analysis.enter(join);
        analysis.leave(analysis.enter(first));
        analysis.leave(analysis.enter(second));
        analysis.leave(before);
        track.note(Long.MAX_VALUE - 1_000, first);
        track.note(Long.MAX_VALUE - 500, second);
        analysis.end();
        return analysis;
    }

    @Test
    void ofTwoOperatorsOfAClassTheOneThatRanThenHasTheSample() {
        Analysis analysis = joined();
        Sample sample =
                sample(
                        "QueryResult",
                        "MeasuredOperator",
                        "HashOperator",
                        "HashBuild",
                        "MeasuredOperator",
                        "ScanOperator",
                        "ScanOperator");
        assertEquals(
                analysis.find("build"),
                FollowedPlan.node(sample, Long.MAX_VALUE - 1_200, analysis));
        assertEquals(
                analysis.find("probe"), FollowedPlan.node(sample, Long.MAX_VALUE - 700, analysis));
        Sample between = sample("QueryResult", "MeasuredOperator", "HashOperator", "Scalar");
        assertEquals(
                analysis.find("join"), FollowedPlan.node(between, Long.MAX_VALUE - 700, analysis));
        Sample outside = sample("PlannedStatement", "Compiler");
        assertEquals(null, FollowedPlan.node(outside, Long.MAX_VALUE - 700, analysis));
        Sample unknown = new Sample(SampleKind.CPU, 0, "main", List.of(), 1);
        assertEquals(
                analysis.find("probe"), FollowedPlan.node(unknown, Long.MAX_VALUE - 700, analysis));
        assertTrue(!analysis.running());
    }
}
