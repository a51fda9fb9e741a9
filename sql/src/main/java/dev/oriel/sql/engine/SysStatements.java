package dev.oriel.sql.engine;

import static dev.oriel.sql.engine.SysTables.flag;
import static dev.oriel.sql.engine.SysTables.moment;
import static dev.oriel.sql.engine.SysTables.number;
import static dev.oriel.sql.engine.SysTables.real;
import static dev.oriel.sql.engine.SysTables.table;
import static dev.oriel.sql.engine.SysTables.text;

import dev.oriel.sql.ComputedTable;
import dev.oriel.sql.RowList;
import dev.oriel.sql.measure.CoarseClock;
import dev.oriel.sql.watch.PlanHistory;
import dev.oriel.sql.watch.SlowStatements;
import dev.oriel.sql.watch.StatementCounts;
import dev.oriel.sql.watch.StatementEntry;
import dev.oriel.sql.watch.StatementTable;
import dev.oriel.sql.watch.Watch;
import dev.oriel.sql.watch.WatchGovernor;
import dev.oriel.store.UsageException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Tables of `sys` about statements: counters, slow statements, overhead of counting, and their settings.
final class SysStatements {
    private final Watch watch;
    private final PlanCache plans;

    private SysStatements(Sql sql) {
        this.watch = sql.watch();
        this.plans = sql.plans();
    }

    static void addTo(Sql sql) {
        SysStatements statements = new SysStatements(sql);
        statements.addCounters(sql);
        sql.add(
                table(
                        "profile_overhead",
                        List.of(text("name"), real("value"), text("meaning")),
                        statements::overhead));
        sql.add(
                table(
                        "plan_cache",
                        List.of(text("name"), number("value"), text("meaning")),
                        statements::plans));
        sql.add(
                table(
                        "settings",
                        List.of(text("name"), text("value"), text("meaning")),
                        statements::settings));
        sql.add(
                ComputedTable.procedure(
                        SysTables.SCHEMA,
                        "configure",
                        List.of(text("name"), text("value")),
                        List.of(text("name"), text("value")),
                        statements::configure));
        sql.add(
                ComputedTable.procedure(
                        SysTables.SCHEMA,
                        "reset_statements",
                        List.of(),
                        List.of(number("forgotten")),
                        statements::reset));
    }

    private void addCounters(Sql sql) {
        sql.add(
                table(
                        "statements",
                        List.of(
                                text("fingerprint"),
                                text("statement"),
                                number("calls"),
                                number("errors"),
                                text("errors_by_state"),
                                number("rows"),
                                real("total_ms"),
                                real("mean_us"),
                                real("min_us"),
                                real("max_us"),
                                real("p50_us"),
                                real("p95_us"),
                                real("p99_us"),
                                number("timed"),
                                number("pages"),
                                number("log_bytes"),
                                number("allocated_bytes"),
                                number("lock_waits"),
                                real("lock_wait_ms"),
                                number("restarts"),
                                moment("first_seen"),
                                number("plan_changes"),
                                moment("plan_changed")),
                        this::statements));
        sql.add(
                table(
                        "statement_plans",
                        List.of(
                                text("fingerprint"),
                                text("statement"),
                                flag("current"),
                                moment("first_seen"),
                                moment("last_seen"),
                                number("executions"),
                                real("mean_us"),
                                text("plan")),
                        this::history));
        sql.add(
                table(
                        "slow_statements",
                        List.of(
                                moment("at"),
                                number("session"),
                                text("fingerprint"),
                                text("statement"),
                                real("elapsed_ms"),
                                number("rows"),
                                number("pages"),
                                real("lock_wait_ms"),
                                text("plan")),
                        this::slow));
    }

    private void statements(ComputedTable.Reading reading, RowList rows) {
        List<StatementTable.Totals> all = new ArrayList<>(watch.totals());
        all.sort(Comparator.comparingDouble(each -> -each.counts().totalNanos()));
        for (StatementTable.Totals totals : all) {
            StatementCounts counts = totals.counts();
            if (counts.calls == 0 && counts.errors == 0) {
                continue; // prepared, or running for the first time, like the statement that asks
            }
            rows.begin().text(totals.entry().name()).text(totals.entry().text());
            rows.number(counts.calls).number(counts.errors);
            rows.text(totals.errors().isEmpty() ? null : totals.errors()).number(counts.rows);
            if (counts.timed == 0 && counts.maxNanos == 0) {
                rows.nothing().nothing().nothing().nothing().nothing().nothing().nothing();
            } else {
                rows.real(counts.totalNanos() / 1e6).real(counts.meanNanos() / 1e3);
                rows.real(counts.minNanos / 1e3).real(counts.maxNanos / 1e3);
                rows.real(counts.percentileNanos(0.50) / 1e3);
                rows.real(counts.percentileNanos(0.95) / 1e3);
                rows.real(counts.percentileNanos(0.99) / 1e3);
            }
            rows.number(counts.timed).number(counts.pages).number(counts.logBytes);
            if (counts.allocatedBytes() < 0) {
                rows.nothing();
            } else {
                rows.number(counts.allocatedBytes());
            }
            rows.number(counts.lockWaits).real(counts.lockWaitNanos / 1e6);
            rows.number(counts.restarts);
            rows.moment(Instant.ofEpochMilli(totals.entry().firstMillis()));
            PlanHistory plans = totals.entry().plans();
            rows.number(plans == null ? 0 : plans.changes());
            if (plans == null || plans.changedMillis() == 0) {
                rows.nothing();
            } else {
                rows.moment(Instant.ofEpochMilli(plans.changedMillis()));
            }
        }
    }

    private void history(ComputedTable.Reading reading, RowList rows) {
        for (StatementTable.Totals totals : watch.totals()) {
            StatementEntry entry = totals.entry();
            PlanHistory plans = entry.plans();
            for (PlanHistory.Known plan :
                    plans == null ? List.<PlanHistory.Known>of() : plans.plans()) {
                rows.begin().text(entry.name()).text(entry.text()).flag(plan.current());
                rows.moment(Instant.ofEpochMilli(plan.firstMillis()));
                rows.moment(Instant.ofEpochMilli(plan.lastMillis()));
                rows.number(plan.executions()).real(plan.meanNanos() / 1e3).text(plan.text());
            }
        }
    }

    private void slow(ComputedTable.Reading reading, RowList rows) {
        for (SlowStatements.Execution execution : watch.slowStatements().all()) {
            rows.begin()
                    .moment(Instant.ofEpochMilli(execution.atMillis()))
                    .number(execution.session())
                    .text(execution.statement().name())
                    .text(execution.statement().text())
                    .real(execution.millis())
                    .number(execution.rows())
                    .number(execution.pages())
                    .real(execution.lockWaitMillis())
                    .text(execution.plan());
        }
    }

    private void overhead(ComputedTable.Reading reading, RowList rows) {
        WatchGovernor governor = watch.governor();
        rows.begin()
                .text("share")
                .real(governor.share())
                .text("part of the statements' time that counting and sampling have cost");
        rows.begin()
                .text("share_of_last_second")
                .real(governor.secondShare())
                .text("the same of the last second in which statements ran for 100 ms or more");
        rows.begin()
                .text("budget")
                .real(governor.budget())
                .text("the share above which less is timed and sampled; 10 ns a call are free");
        rows.begin()
                .text("level")
                .real(governor.level())
                .text("0: all of it; up to 3: stepped down to stay within the budget");
        rows.begin()
                .text("steps_down")
                .real((double) governor.stepsDown())
                .text("how often it was stepped down");
        rows.begin()
                .text("timed_every")
                .real(governor.timedEvery())
                .text("of the shortest statements one of so many executions is timed, about");
        rows.begin()
                .text("sample_every_ms")
                .real(governor.ticksBetweenSamples() * CoarseClock.TICK_NANOS / 1e6)
                .text("time between two samples of sys.sessions_history");
        rows.begin()
                .text("call_ns")
                .real(governor.callNanos())
                .text("what counting costs an execution, measured in a loop; 0 before it was");
        rows.begin()
                .text("clock_ns")
                .real(governor.clockNanos())
                .text("what a reading of the clock costs; one that is timed needs two");
        rows.begin()
                .text("allocation_ns")
                .real(governor.allocationNanos())
                .text("what a reading of the allocated bytes costs; some that are timed need two");
        rows.begin()
                .text("executions")
                .real((double) governor.executions())
                .text("statements that were counted, as of the last second");
        rows.begin()
                .text("counting_ms")
                .real(governor.costNanos() / 1e6)
                .text("what counting and timing have cost in all, in the callers' threads");
        rows.begin()
                .text("sampling_ms")
                .real(governor.samplerNanos() / 1e6)
                .text("what sampling has cost in all, in a thread of its own");
        rows.begin()
                .text("busy_ms")
                .real(governor.busyNanos() / 1e6)
                .text("how long statements ran in all, as seen every 20 ms");
    }

    private void plans(ComputedTable.Reading reading, RowList rows) {
        PlanCache.Counts counts = plans.counts();
        rows.begin()
                .text("found_by_text")
                .number(counts.byText())
                .text("statements whose very text was known");
        rows.begin()
                .text("found_by_shape")
                .number(counts.byShape())
                .text("statements that share the plan of others with other literals");
        rows.begin()
                .text("compiled")
                .number(counts.compiled())
                .text("statements that had to be planned");
        rows.begin()
                .text("shared_plans_made")
                .number(counts.templates())
                .text("plans that were made for statements to share, beside their own");
        rows.begin()
                .text("evicted")
                .number(counts.evicted())
                .text("texts and shapes that had to make room for others");
        rows.begin().text("texts").number(counts.texts()).text("kept now: at most 256");
        rows.begin().text("shapes").number(counts.shapes()).text("kept now: at most 256");
        rows.begin()
                .text("bytes")
                .number(counts.bytes())
                .text("what both take, estimated by the lengths of texts: at most 32 MB");
    }

    private void settings(ComputedTable.Reading reading, RowList rows) {
        rows.begin()
                .text("watch")
                .text(watch.on() ? "on" : "off")
                .text("whether statements are counted and sessions sampled: on or off");
        rows.begin()
                .text("slow_statement_ms")
                .text(Long.toString(TimeUnit.NANOSECONDS.toMillis(watch.slowNanos())))
                .text("executions that last so long are kept in sys.slow_statements, +- 20 ms");
        rows.begin()
                .text("operator_times")
                .text(watch.operatorTimes().name().toLowerCase(Locale.ROOT))
                .text(
                        "whose operators are timed for sys.slow_statements: of a kind that was slow,"
                                + " the next execution and one in 64 (slow); of all (on); of none"
                                + " (off)");
        rows.begin()
                .text("plan_sharing")
                .text(plans.sharing() ? "on" : "off")
                .text("whether statements that differ in literals alone share plans: on or off");
        rows.begin()
                .text("profile_budget")
                .text(Double.toString(watch.governor().budget()))
                .text("see budget in sys.profile_overhead");
    }

    private void configure(ComputedTable.Reading reading, RowList rows) {
        String name = String.valueOf(reading.arguments().textAt(0)).toLowerCase(Locale.ROOT);
        String value = String.valueOf(reading.arguments().textAt(1));
        try {
            switch (name) {
                case "watch" -> watch.on(on(value));
                case "slow_statement_ms" ->
                        watch.slowNanos(
                                TimeUnit.MILLISECONDS.toNanos(
                                        Math.clamp(Long.parseLong(value), 0, Integer.MAX_VALUE)));
                case "plan_sharing" -> plans.sharing(on(value));
                case "operator_times" -> watch.operatorTimes(times(value));
                case "profile_budget" ->
                        watch.governor().budget(Math.clamp(Double.parseDouble(value), 0, 1));
                default ->
                        throw new UsageException(
                                "There is no such setting: sys.settings lists all", "name=" + name);
            }
        } catch (NumberFormatException e) {
            throw new UsageException("The setting takes a number", name + "=" + value);
        }
        rows.begin().text(name).text(value);
    }

    private static Watch.OperatorTimes times(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "on" -> Watch.OperatorTimes.ON;
            case "slow" -> Watch.OperatorTimes.SLOW;
            case "off" -> Watch.OperatorTimes.OFF;
            default ->
                    throw new UsageException("The setting takes on, slow or off", "value=" + value);
        };
    }

    private static boolean on(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "on", "true" -> true;
            case "off", "false" -> false;
            default -> throw new UsageException("The setting takes on or off", "value=" + value);
        };
    }

    private void reset(ComputedTable.Reading reading, RowList rows) {
        int forgotten = watch.statements().size();
        watch.reset();
        rows.begin().number(forgotten);
    }
}
