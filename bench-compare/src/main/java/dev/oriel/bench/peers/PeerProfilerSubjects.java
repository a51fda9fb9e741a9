package dev.oriel.bench.peers;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import dev.oriel.bench.profiler.ProbedLoop;
import java.util.List;

/// The peers that are profilers.
public final class PeerProfilerSubjects implements Subjects {
    @Override
    public List<Subject> subjects() {
        return List.of(
                new PerfUtilLoop("perfutil", ProbedLoop.Case.TIMED, false),
                new PerfUtilLoop("perfutil-four", ProbedLoop.Case.TIMED_FOUR, false),
                new PerfUtilLoop("perfutil-light", ProbedLoop.Case.TIMED, true),
                new MethodTimingLoop(),
                new RecorderLoop(),
                new AsyncProfilerLoop());
    }
}
