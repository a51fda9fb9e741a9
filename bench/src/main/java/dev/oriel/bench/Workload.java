package dev.oriel.bench;

import java.util.List;

/// A kind of work, done by all subjects of its kind. It is asked for its scenarios in the parent
/// process, and runs each in a fresh JVM.
public interface Workload {
    /// Name for `oriel bench`.
    String name();

    /// A summary of its work, in one line of help.
    String summary();

    /// Whether a subject is of the kind that can do this work. Names of subjects are unique.
    boolean takes(Subject subject);

    /// The scenarios to run.
    ///
    /// @param subjects the chosen subjects, of every kind; the workload filters them by [#takes]
    List<Scenario> scenarios(Scale scale, List<Subject> subjects);

    /// Runs a scenario for one subject, in the fresh JVM, and reports its measurements to `run`.
    void run(Scenario scenario, Subject subject, Run run) throws Exception;

    /// Names of workloads that run along with this one, because its figures are compared with theirs.
    default List<String> beside() {
        return List.of();
    }
}
