package dev.oriel.sql.engine;

import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.ComputedTables;
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
import org.jspecify.annotations.Nullable;

/// Plans of triggers and procedures, shared by all sessions. A plan is good for one version of the catalog, and as long as its tables
/// have about the same size.
final class BodyPlans implements Bodies {
    private final ComputedTables computed;
    private final Statistics statistics;
    private final Map<Long, Known> triggers = new ConcurrentHashMap<>();
    private final Map<Long, KnownBody> procedures = new ConcurrentHashMap<>();

    private record Known(long version, Triggers.Planned planned) {
        boolean isGoodFor(Catalog catalog) {
            return version == catalog.version()
                    && (planned.basis() == null || planned.basis().holds());
        }
    }

    private record KnownBody(long version, Procedures.Planned planned) {
        boolean isGoodFor(Catalog catalog) {
            return version == catalog.version()
                    && (planned.basis() == null || planned.basis().holds());
        }
    }

    BodyPlans(ComputedTables computed, Statistics statistics) {
        this.computed = computed;
        this.statistics = statistics;
    }

    @Override
    public Body procedure(Procedure procedure, Catalog catalog) {
        KnownBody known = procedures.get(procedure.id());
        if (known == null || !known.isGoodFor(catalog)) {
            Compiler.Known in = new Compiler.Known(catalog, computed, statistics);
            known = new KnownBody(catalog.version(), Procedures.plan(procedure, in));
            procedures.put(procedure.id(), known);
        }
        return known.planned.body();
    }

    @Override
    public @Nullable Object call(
            SqlFunction function,
            List<Scalar> arguments,
            Frame frame,
            Execution execution,
            boolean unfinished) {
        Catalog catalog = execution.transaction().catalog();
        KnownBody known = procedures.get(function.id());
        if (known == null || !known.isGoodFor(catalog)) {
            Compiler.Known in = new Compiler.Known(catalog, computed, statistics);
            known = new KnownBody(catalog.version(), Procedures.plan(function, in));
            procedures.put(function.id(), known);
        }
        Body body = known.planned.body();
        return FunctionRun.value(function, body, arguments, frame, execution, unfinished);
    }

    @Override
    public Body block(String text, Catalog catalog) {
        return Procedures.plan(text, new Compiler.Known(catalog, computed, statistics)).body();
    }

    @Override
    public TriggerPlan trigger(Trigger trigger, Catalog catalog) {
        Known known = triggers.get(trigger.id());
        if (known == null || !known.isGoodFor(catalog)) {
            known =
                    new Known(
                            catalog.version(),
                            Triggers.plan(
                                    trigger, new Compiler.Known(catalog, computed, statistics)));
            triggers.put(trigger.id(), known);
        }
        return known.planned.plan();
    }
}
