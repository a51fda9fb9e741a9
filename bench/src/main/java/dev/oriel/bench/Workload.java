package dev.oriel.bench;

import java.util.List;

/// A kind of work, done by all subjects of its kind. It is asked for its scenarios in the parent
/// process, and runs each in a fresh JVM.
public interface Workload {
    /// What `oriel bench` calls it.
    String name();

    /// What it does, in one line of help.
    String summary();

    /// Whether a subject is of the kind that can do this work. Their names are unique.
    boolean takes(Subject subject);

    /// What is to be run.
    ///
    /// @param subjects those chosen, of every kind; the workload uses those that it takes
    List<Scenario> scenarios(Scale scale, List<Subject> subjects);

    /// Runs a scenario for one subject, in the fresh JVM, and tells `run` what was measured.
    void run(Scenario scenario, Subject subject, Run run) throws Exception;

    /// Names of workloads that run along with this one, because its figures are judged by theirs.
    default List<String> beside() {
        return List.of();
    }
}
