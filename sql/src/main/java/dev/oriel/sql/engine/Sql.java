package dev.oriel.sql.engine;

import dev.oriel.sql.ComputedTable;
import dev.oriel.sql.JavaAggregate;
import dev.oriel.sql.JavaFunction;
import dev.oriel.sql.OpenTransaction;
import dev.oriel.sql.Session;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.ComputedTables;
import dev.oriel.sql.bind.SystemTables;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.watch.Watch;
import dev.oriel.store.DatabaseException;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import dev.oriel.table.engine.Tables;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// SQL over a set of tables: the composition root of this module. Holds the plan cache. Safe for use by any number
/// of threads, each with sessions of its own.
public final class Sql {
    private final Tables tables;
    private final InstantSource clock;
    private final Watch watch;
    private final ComputedTables computed = new ComputedTables(() -> SysTables.addTo(this));
    private final PlanCache plans;
    private final BodyPlans bodies;
    private volatile Compiler.@Nullable Compiled commitStatement;
    private volatile Supplier<List<OpenTransaction>> transactions = List::of;
    private volatile long queryBytesMax = usualQueryBytes();
    private final AtomicLong temporarySchemas = new AtomicLong();

    /// Schemas of temporary tables whose sessions ended while other transactions wrote.
    private final Queue<String> leftSchemas = new ConcurrentLinkedQueue<>();

    /// SQL over `tables`.
    public Sql(Tables tables) {
        this(tables, InstantSource.system(), failure -> failure.getClass().getSimpleName());
    }

    /// SQL over `tables`. Errors are counted by their SQLState, the result of `states`.
    public Sql(Tables tables, Function<DatabaseException, String> states) {
        this(tables, InstantSource.system(), states);
    }

    /// SQL over `tables`, with `clock` for the current time.
    Sql(Tables tables, InstantSource clock, Function<DatabaseException, String> states) {
        this.tables = tables;
        this.clock = clock;
        this.plans = new PlanCache(computed, tables.statistics());
        this.bodies = new BodyPlans(computed, tables.statistics());
        this.watch = new Watch(states, () -> TableExpressions.estimate(tables.statistics()::of));
        tables.expressions(new TableExpressions(clock));
        tables.poll(Cancellation::pollRunning);
    }

    /// Loads the classes needed to compile a query, without a database. Called by an idle thread while another one
    /// opens the first database. Takes as long as a first query does.
    public static void rehearse() {
        var _ = EngineWarmUp.run();
    }

    /// A new session in auto-commit mode.
    public Session session() {
        return new LocalSession(this, tables);
    }

    /// A session whose statements belong to `transaction`. COMMIT, ROLLBACK and closing the session do not end
    /// that: its owner does, after the session.
    public Session session(TableTransaction transaction) {
        LocalSession session = new LocalSession(this, tables);
        session.join(transaction);
        return session;
    }

    /// Owner of the statement that runs in this thread ([Session#owner]); null if it has none, or if none runs.
    public static @Nullable Object runningOwner() {
        return Cancellation.runningOwner();
    }

    /// Sets the source of open transactions over several faces, for the table `sys.transactions`.
    public void transactions(Supplier<List<OpenTransaction>> open) {
        transactions = open;
    }

    List<OpenTransaction> transactions() {
        return transactions.get();
    }

    /// Ends background work: profiles that were started here. To be called before the tables are closed.
    public void close() {
        watch.profiles().close();
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

    /// Adds a function that is written in Java, for all sessions and for good.
    ///
    /// @throws dev.oriel.store.UsageException if there is a function of its name
    public void add(JavaFunction function) {
        computed.add(function);
    }

    /// Adds an aggregate that is written in Java, for all sessions and for good.
    ///
    /// @throws dev.oriel.store.UsageException if there is a function of its name
    public void add(JavaAggregate aggregate) {
        computed.add(aggregate);
    }

    ComputedTables computed() {
        return computed;
    }

    /// The tables that Java computes, by schema and name.
    public Collection<ComputedTable> computedTables() {
        return computed.all();
    }

    /// The tables of `sys`, `information_schema` and `pg_catalog`; they have no numbers.
    public List<Table> systemTables() {
        List<Table> all = new ArrayList<>();
        for (ComputedTable each : computed.all()) {
            if (each.schema().equals("sys") && !each.acts() && each.parameters().isEmpty()) {
                all.add(systemTable(each.schema(), each.name(), each.columns()));
            }
        }
        for (SystemTables each : SystemTables.all()) {
            all.add(systemTable(each.schema(), each.name(), each.columns()));
        }
        return all;
    }

    private static Table systemTable(String schema, String name, List<Column> columns) {
        return new Table(0, name, columns, List.of(), List.of()).withSchema(schema);
    }

    /// The routines that can be called at this moment.
    public List<Routine> routines() {
        return Routine.all(computed);
    }

    /// Default memory budget of one statement's operators, in bytes: a quarter of the JVM's maximum memory.
    public static long usualQueryBytes() {
        return Runtime.getRuntime().maxMemory() / 4;
    }

    /// Sets the memory budget, above 0, of sessions that have none of their own.
    public void queryBytesMax(long bytes) {
        queryBytesMax = bytes;
    }

    long queryBytesMax() {
        return queryBytesMax;
    }

    /// A schema for the temporary tables of a session.
    String temporarySchema() {
        return Catalog.TEMPORARY_SCHEMA + temporarySchemas.incrementAndGet();
    }

    /// Leaves `schema`, whose session has ended, to the next session with temporary tables, which drops its tables.
    void leaveSchema(String schema) {
        leftSchemas.add(schema);
    }

    /// Takes a schema left by [#leaveSchema]; null if there is none.
    @Nullable String leftSchema() {
        return leftSchemas.poll();
    }

    /// Plans of triggers.
    BodyPlans bodies() {
        return bodies;
    }

    PlanCache plans() {
        return plans;
    }

    /// COMMIT, for counting commits that have no text; independent of the catalog.
    Compiler.Compiled commitStatement() {
        Compiler.Compiled known = commitStatement;
        if (known == null) {
            known = plans.alone("COMMIT", null, List.of(), catalog());
            commitStatement = known;
        }
        return known;
    }

    Tables tables() {
        return tables;
    }

    /// Counters and samples of statements.
    Watch watch() {
        return watch;
    }

    InstantSource clock() {
        return clock;
    }
}
