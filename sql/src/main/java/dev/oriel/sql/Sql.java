package dev.oriel.sql;

import dev.oriel.table.Catalog;
import dev.oriel.table.Tables;
import java.time.InstantSource;

/// SQL over a set of tables: the composition root of this module. Holds the plan cache. Safe for
/// use by any number of threads; each takes sessions of its own.
public final class Sql {
    private final Tables tables;
    private final InstantSource clock;
    private final PlanCache plans = new PlanCache();

    /// SQL over `tables`.
    public Sql(Tables tables) {
        this(tables, InstantSource.system());
    }

    /// SQL over `tables` for which it is as late as `clock` says.
    Sql(Tables tables, InstantSource clock) {
        this.tables = tables;
        this.clock = clock;
    }

    /// A new session in auto-commit mode.
    public Session session() {
        return new LocalSession(this, tables);
    }

    /// The newest committed definitions.
    public Catalog catalog() {
        return tables.catalog();
    }

    PlanCache plans() {
        return plans;
    }

    InstantSource clock() {
        return clock;
    }
}
