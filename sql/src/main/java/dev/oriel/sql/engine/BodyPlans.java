package dev.oriel.sql.engine;

import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.ComputedTables;
import dev.oriel.sql.bind.Planned;
import dev.oriel.sql.bind.Procedures;
import dev.oriel.sql.bind.Triggers;
import dev.oriel.sql.change.FunctionRun;
import dev.oriel.sql.plan.Bodies;
import dev.oriel.sql.plan.Body;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.TriggerPlan;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.statistics.Statistics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Plans of triggers and routines, shared by all sessions. A plan is good for one version of the catalog, and as long
/// as its tables have about the same size.
final class BodyPlans implements Bodies {
    private final ComputedTables computed;
    private final Statistics statistics;
    private final Map<Long, Known<TriggerPlan>> triggers = new ConcurrentHashMap<>();
    private final Map<Long, Known<Body>> routines = new ConcurrentHashMap<>();

    /// The newest version of the catalog whose missing definitions were forgotten.
    private final AtomicLong swept = new AtomicLong();

    private record Known<T>(long version, Planned<T> planned) {
        boolean isGoodFor(Catalog catalog) {
            return version == catalog.version() && planned.holds();
        }
    }

    BodyPlans(ComputedTables computed, Statistics statistics) {
        this.computed = computed;
        this.statistics = statistics;
    }

    /// The plan of the definition `id`, which `planning` makes if there is no good one.
    private <T> T plan(
            Map<Long, Known<T>> plans,
            long id,
            Catalog catalog,
            Function<Compiler.Known, Planned<T>> planning) {
        Known<T> known = plans.get(id);
        if (known == null || !known.isGoodFor(catalog)) {
            forget(catalog);
            known = new Known<>(catalog.version(), planning.apply(in(catalog)));
            plans.put(id, known);
        }
        return known.planned.plan();
    }

    /// Forgets the plans of definitions that are not in `catalog`, if it is newer than all before. A transaction that
    /// still uses a forgotten body plans it again.
    private void forget(Catalog catalog) {
        long version = catalog.version();
        if (swept.getAndAccumulate(version, Math::max) < version) {
            triggers.keySet().removeIf(id -> !catalog.notes().containsKey(id));
            routines.keySet().removeIf(id -> !catalog.notes().containsKey(id));
        }
    }

    private Compiler.Known in(Catalog catalog) {
        return new Compiler.Known(catalog, computed, statistics);
    }

    /// Number of plans that are kept.
    int count() {
        return triggers.size() + routines.size();
    }

    @Override
    public Body procedure(Procedure procedure, Catalog catalog) {
        return plan(routines, procedure.id(), catalog, known -> Procedures.plan(procedure, known));
    }

    @Override
    public @Nullable Object call(
            SqlFunction function,
            List<Scalar> arguments,
            Frame frame,
            Execution execution,
            boolean unfinished) {
        Body body =
                plan(
                        routines,
                        function.id(),
                        execution.transaction().catalog(),
                        known -> Procedures.plan(function, known));
        return FunctionRun.value(function, body, arguments, frame, execution, unfinished);
    }

    @Override
    public Body block(String text, Catalog catalog) {
        return Procedures.plan(text, in(catalog)).plan();
    }

    @Override
    public TriggerPlan trigger(Trigger trigger, Catalog catalog) {
        return plan(triggers, trigger.id(), catalog, known -> Triggers.plan(trigger, known));
    }
}
