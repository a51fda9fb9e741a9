package dev.oriel.sql.engine;

import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.ComputedTables;
import dev.oriel.sql.bind.Triggers;
import dev.oriel.sql.plan.Bodies;
import dev.oriel.sql.plan.TriggerPlan;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.statistics.Statistics;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Plans of triggers, shared by all sessions. A plan is good for one version of the catalog, and as long as its tables
/// have about the same size.
final class BodyPlans implements Bodies {
    private final ComputedTables computed;
    private final Statistics statistics;
    private final Map<Long, Known> triggers = new ConcurrentHashMap<>();

    private record Known(long version, Triggers.Planned planned) {
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
