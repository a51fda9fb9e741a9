package dev.oriel.sql.plan;

import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.Trigger;

/// Plans of what the catalog keeps as text and statements run.
public interface Bodies {
    /// There are none.
    Bodies NONE =
            new Bodies() {
                @Override
                public TriggerPlan trigger(Trigger trigger, Catalog catalog) {
                    throw new IllegalStateException("nothing plans " + trigger.name());
                }

                @Override
                public Body procedure(Procedure procedure, Catalog catalog) {
                    throw new IllegalStateException("nothing plans " + procedure.name());
                }

                @Override
                public Body block(String text, Catalog catalog) {
                    throw new IllegalStateException("nothing plans " + text);
                }
            };

    /// The plan of `trigger`, which is in `catalog`.
    TriggerPlan trigger(Trigger trigger, Catalog catalog);

    /// The plan of the body of `procedure`, which is in `catalog`. Its values are the parameters.
    Body procedure(Procedure procedure, Catalog catalog);

    /// The plan of the statements `text` of DO.
    Body block(String text, Catalog catalog);
}
