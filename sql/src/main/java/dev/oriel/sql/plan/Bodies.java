package dev.oriel.sql.plan;

import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Trigger;

/// Plans of what the catalog keeps as text and statements run.
public interface Bodies {
    /// There are none.
    Bodies NONE =
            (trigger, catalog) -> {
                throw new IllegalStateException("nothing plans " + trigger.name());
            };

    /// The plan of `trigger`, which is in `catalog`.
    TriggerPlan trigger(Trigger trigger, Catalog catalog);
}
