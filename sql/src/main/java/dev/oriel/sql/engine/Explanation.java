package dev.oriel.sql.engine;

import dev.oriel.sql.measure.Analysis;
import dev.oriel.sql.measure.OperatorTrack;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.planner.Estimate;
import dev.oriel.sql.watch.PlanReport;
import dev.oriel.sql.watch.StatementProfile;
import java.util.List;

/// Output of EXPLAIN. With ANALYZE the explained statement is run and measured.
final class Explanation {
    private Explanation() {}

    /// @param around the statement whose command is `explain`
    static List<String> lines(Command.Explain explain, PlannedStatement around, Estimate estimate) {
        PlanReport report = new PlanReport(explain, estimate);
        if (!explain.options().analyze()) {
            return report.ofPlan();
        }
        StatementProfile profile =
                explain.options().profile() ? StatementProfile.start(explain.command()) : null;
        Analysis measuring =
                new Analysis(
                        explain.options().timing() ? Analysis.Clock.EXACT : Analysis.Clock.NONE,
                        profile == null ? null : new OperatorTrack());
        PlannedStatement inner = new PlannedStatement(around, explain.command(), measuring);
        try {
            long rows = inner.measured(measuring);
            return report.ofRun(
                    measuring,
                    rows,
                    inner.memoryUsed(),
                    profile == null ? null : profile.stop(measuring));
        } finally {
            inner.close();
            if (profile != null) {
                profile.close();
            }
        }
    }
}
