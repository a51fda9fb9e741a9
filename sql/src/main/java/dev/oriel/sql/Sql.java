package dev.oriel.sql;

import dev.oriel.table.Catalog;
import dev.oriel.table.Tables;
import java.time.InstantSource;
import java.util.Collection;

/// SQL over a set of tables: the composition root of this module. Holds the plan cache. Safe for
/// use by any number of threads; each takes sessions of its own.
public final class Sql {
    private final Tables tables;
    private final InstantSource clock;
    private final ComputedTables computed = new ComputedTables();
    private final PlanCache plans = new PlanCache(computed);

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

    /// Adds a table that Java computes, for all sessions and for good.
    ///
    /// @throws IllegalStateException if there is one of its schema and name
    public void add(ComputedTable table) {
        computed.add(table);
    }

    /// The tables that Java computes, by schema and name.
    public Collection<ComputedTable> computedTables() {
        return computed.all();
    }

    PlanCache plans() {
        return plans;
    }

    InstantSource clock() {
        return clock;
    }
}
