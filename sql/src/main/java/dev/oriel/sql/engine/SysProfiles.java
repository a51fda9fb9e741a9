package dev.oriel.sql.engine;

import static dev.oriel.sql.engine.SysTables.moment;
import static dev.oriel.sql.engine.SysTables.number;
import static dev.oriel.sql.engine.SysTables.real;
import static dev.oriel.sql.engine.SysTables.table;
import static dev.oriel.sql.engine.SysTables.text;

import dev.oriel.profiler.CallNode;
import dev.oriel.profiler.Sample;
import dev.oriel.sql.ComputedTable;
import dev.oriel.sql.RowList;
import dev.oriel.sql.watch.ProfileFrames;
import dev.oriel.sql.watch.ProfileRuns;
import dev.oriel.sql.watch.StatementEntry;
import dev.oriel.table.value.Row;
import java.util.List;

/// The tables and functions of `sys` about profiles.
final class SysProfiles {
    private final ProfileRuns runs;

    private SysProfiles(ProfileRuns runs) {
        this.runs = runs;
    }

    static void addTo(Sql sql) {
        SysProfiles profiles = new SysProfiles(sql.watch().profiles());
        profiles.addProcedures(sql);
        sql.add(
                table(
                        "profile_runs",
                        List.of(
                                number("run"),
                                moment("started_at"),
                                text("what"),
                                real("wall_ms"),
                                number("statements"),
                                number("calls"),
                                number("samples"),
                                text("notes")),
                        profiles::runs));
        sql.add(
                table(
                        "profile_frames",
                        List.of(
                                number("run"),
                                text("clock"),
                                text("unit"),
                                text("frame"),
                                number("calls"),
                                number("self"),
                                number("total"),
                                real("self_per_statement")),
                        profiles::frames));
        sql.add(
                table(
                        "profile_tree",
                        List.of(
                                number("run"),
                                number("node"),
                                number("caller"),
                                number("depth"),
                                text("frame"),
                                number("calls"),
                                real("total_ms"),
                                real("self_ms"),
                                real("min_us"),
                                real("max_us")),
                        profiles::tree));
        sql.add(
                table(
                        "profile_samples",
                        List.of(
                                number("run"),
                                real("at_ms"),
                                text("kind"),
                                text("thread"),
                                text("fingerprint"),
                                text("statement"),
                                text("operators"),
                                text("plan_node"),
                                number("weight"),
                                text("frame"),
                                text("stack")),
                        profiles::samples));
    }

    private void addProcedures(Sql sql) {
        sql.add(
                ComputedTable.procedure(
                        SysTables.SCHEMA,
                        "profile_start",
                        List.of(text("what"), number("session"), text("fingerprint")),
                        List.of(number("run")),
                        this::start));
        sql.add(
                ComputedTable.procedure(
                        SysTables.SCHEMA,
                        "profile_stop",
                        List.of(number("run")),
                        List.of(number("run"), real("wall_ms"), number("samples")),
                        this::stop));
        sql.add(
                ComputedTable.function(
                        SysTables.SCHEMA,
                        "flame_graph",
                        List.of(number("run"), text("statement")),
                        List.of(text("stack"), number("weight")),
                        (reading, rows) -> {
                            Row arguments = reading.arguments();
                            ProfileFrames.flame(runs.run(arguments.longAt(0)), arguments.textAt(1))
                                    .forEach((stack, weight) ->
                                            rows.begin().text(stack).number(weight));
                        }));
        sql.add(
                ComputedTable.function(
                        SysTables.SCHEMA,
                        "profile_diff",
                        List.of(number("run_a"), number("run_b")),
                        List.of(
                                text("clock"),
                                text("unit"),
                                text("frame"),
                                real("a_per_statement"),
                                real("b_per_statement"),
                                real("ratio"),
                                real("calls_ratio"),
                                real("time_per_call_ratio"),
                                real("low"),
                                real("high"),
                                text("verdict")),
                        this::compare));
    }

    /// Starts a profile of all statements; given a session or a fingerprint, of these alone.
    private void start(ComputedTable.Reading reading, RowList rows) {
        Row arguments = reading.arguments();
        String what = arguments.textAt(0);
        Long session = arguments.isNull(1) ? null : arguments.longAt(1);
        rows.begin().number(runs.start(what == null ? "cpu" : what, session, arguments.textAt(2)));
    }

    /// Ends the running profile; given a number, only the profile of that number.
    private void stop(ComputedTable.Reading reading, RowList rows) {
        Row arguments = reading.arguments();
        ProfileRuns.Run run = arguments.isNull(0) ? runs.stop() : runs.stop(arguments.longAt(0));
        if (run != null) {
            rows.begin()
                    .number(run.number())
                    .real(run.result().wallNanos() / 1e6)
                    .number(run.samples().size());
        }
    }

    private void runs(ComputedTable.Reading reading, RowList rows) {
        for (ProfileRuns.Run run : runs.all()) {
            rows.begin().number(run.number()).moment(run.result().startedAt()).text(run.what());
            rows.real(run.result().wallNanos() / 1e6).number(run.executions());
            rows.number(run.result().calls()).number(run.samples().size());
            rows.text(run.notes().isEmpty() ? null : String.join(" ", run.notes()));
        }
        if (runs.runningNumber() > 0) {
            rows.begin().number(runs.runningNumber()).nothing().nothing().nothing().nothing();
            rows.nothing().nothing().text("running");
        }
    }

    private void frames(ComputedTable.Reading reading, RowList rows) {
        for (ProfileRuns.Run run : runs.all()) {
            for (ProfileFrames.Frame frame : ProfileFrames.of(run)) {
                rows.begin().number(run.number()).text(frame.clock()).text(frame.unit());
                rows.text(frame.name());
                SysTables.optional(rows, frame.calls());
                rows.number(frame.self()).number(frame.total());
                rows.real(frame.self() / run.operations());
            }
        }
    }

    private void tree(ComputedTable.Reading reading, RowList rows) {
        for (ProfileRuns.Run run : runs.all()) {
            long[] nodes = new long[1];
            for (CallNode root : run.result().roots()) {
                tree(run.number(), root, 0, 0, nodes, rows);
            }
        }
    }

    /// Recursion is bounded by the recorder's limit on the depth of a tree.
    private static void tree(
            long run, CallNode node, long caller, int depth, long[] nodes, RowList rows) {
        long number = ++nodes[0];
        rows.begin().number(run).number(number);
        SysTables.optional(rows, caller);
        rows.number(depth).text(node.name()).number(node.calls());
        rows.real(node.totalNanos() / 1e6).real(node.selfNanos() / 1e6);
        rows.real(node.minNanos() / 1e3).real(node.maxNanos() / 1e3);
        for (CallNode child : node.children()) {
            tree(run, child, number, depth + 1, nodes, rows);
        }
    }

    private void samples(ComputedTable.Reading reading, RowList rows) {
        for (ProfileRuns.Run run : runs.all()) {
            for (ProfileRuns.Joined joined : run.samples()) {
                Sample sample = joined.sample();
                StatementEntry statement = joined.statement();
                rows.begin().number(run.number()).real(sample.atNanos() / 1e6);
                rows.text(ProfileFrames.clock(sample.kind())).text(sample.thread());
                rows.text(statement == null ? null : statement.name());
                rows.text(statement == null ? null : statement.text());
                rows.text(ProfileFrames.operators(sample)).text(joined.node());
                rows.number(sample.weight());
                rows.text(sample.stack().isEmpty() ? null : sample.stack().getFirst().toString());
                rows.text(ProfileFrames.stack(sample));
            }
        }
    }

    private void compare(ComputedTable.Reading reading, RowList rows) {
        Row arguments = reading.arguments();
        ProfileRuns.Run a = runs.run(arguments.longAt(0));
        ProfileRuns.Run b = runs.run(arguments.longAt(1));
        for (ProfileFrames.Change change : ProfileFrames.compare(a, b)) {
            rows.begin().text(change.clock()).text(change.unit()).text(change.name());
            rows.real(change.before()).real(change.after());
            for (double ratio :
                    new double[] {
                        change.ratio(),
                        change.callsRatio(),
                        change.timeRatio(),
                        change.low(),
                        change.high()
                    }) {
                if (Double.isNaN(ratio)) {
                    rows.nothing();
                } else {
                    rows.real(ratio);
                }
            }
            rows.text(change.verdict());
        }
    }
}
