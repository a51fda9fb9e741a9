package dev.oriel.bench.profiler;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import java.util.ArrayList;
import java.util.List;

/// Our profiler: its probes, its samples, and its always-on part.
public final class ProfilerSubjects implements Subjects {
    /// Found by `ServiceLoader`.
    public ProfilerSubjects() {}

    @Override
    public List<Subject> subjects() {
        List<Subject> subjects = new ArrayList<>();
        for (ProbedLoop.Case each : ProbedLoop.Case.values()) {
            subjects.add(new OrielLoop(each));
        }
        subjects.add(new AlwaysOn());
        return subjects;
    }
}
