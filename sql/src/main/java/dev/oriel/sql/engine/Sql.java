package dev.oriel.sql.engine;

import dev.oriel.sql.ComputedTable;
import dev.oriel.sql.JavaAggregate;
import dev.oriel.sql.JavaFunction;
import dev.oriel.sql.OpenTransaction;
import dev.oriel.sql.Session;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.ComputedTables;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.watch.Watch;
import dev.oriel.store.DatabaseException;
import dev.oriel.table.Catalog;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tables;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// SQL over a set of tables: the composition root of this module. Holds the plan cache. Safe for
/// use by any number of threads; each takes sessions of its own.
public final class Sql {
    private final Tables tables;
    private final InstantSource clock;
    private final Watch watch;
    private final ComputedTables computed = new ComputedTables(() -> SysTables.addTo(this));
    private final PlanCache plans;
    private volatile Compiler.@Nullable Compiled commitStatement;
    private volatile Supplier<List<OpenTransaction>> transactions = List::of;
    private volatile long queryBytesMax = usualQueryBytes();
    private final AtomicLong temporarySchemas = new AtomicLong();

    /// Schemas of temporary tables whose sessions have ended while others wrote.
    private final Queue<String> leftSchemas = new ConcurrentLinkedQueue<>();

    /// SQL over `tables`.
    public Sql(Tables tables) {
        this(tables, InstantSource.system(), failure -> failure.getClass().getSimpleName());
    }

    /// SQL over `tables`, whose errors are counted by the name that `states` gives them: an SQLState.
    public Sql(Tables tables, Function<DatabaseException, String> states) {
        this(tables, InstantSource.system(), states);
    }

    /// SQL over `tables` for which it is as late as `clock` says.
    Sql(Tables tables, InstantSource clock, Function<DatabaseException, String> states) {
        this.tables = tables;
        this.clock = clock;
        this.plans = new PlanCache(computed, tables.statistics());
        this.watch = new Watch(states, () -> TableExpressions.estimate(tables.statistics()::of));
        tables.expressions(new TableExpressions(clock));
        tables.poll(Cancellation::pollRunning);
    }

    /// Brings into the JVM what it needs to understand a query, without a database: for a thread that has
    /// nothing else to do while another one opens the first. Takes as long as a first query does.
    public static void rehearse() {
        var _ = EngineWarmUp.run();
    }

    /// A new session in auto-commit mode.
    public Session session() {
        return new LocalSession(this, tables);
    }

    /// A session whose statements belong to `transaction`. Neither COMMIT nor ROLLBACK nor its close ends that: its
    /// owner does, after the session.
    public Session session(TableTransaction transaction) {
        LocalSession session = new LocalSession(this, tables);
        session.join(transaction);
        return session;
    }

    /// Who asks for the statement that runs in this thread ([Session#owner]); null for nobody, or if none runs.
    public static @Nullable Object runningOwner() {
        return Cancellation.runningOwner();
    }

    /// Has `open` list the transactions over several faces that are open, for the table `sys.transactions`.
    public void transactions(Supplier<List<OpenTransaction>> open) {
        transactions = open;
    }

    List<OpenTransaction> transactions() {
        return transactions.get();
    }

    /// Ends what goes on beside statements: a profile that was started here. To be called before the
    /// tables are closed.
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

    /// The tables that Java computes, by schema and name.
    public Collection<ComputedTable> computedTables() {
        return computed.all();
    }

    /// What can be called by its name at this moment.
    public List<Routine> routines() {
        return Routine.all(computed);
    }

    /// How many bytes of memory the operators of one statement may take for the rows that they keep, if
    /// nothing else is said: a quarter of what the JVM may use.
    public static long usualQueryBytes() {
        return Runtime.getRuntime().maxMemory() / 4;
    }

    /// Sets that for all sessions that have no budget of their own, above 0.
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

    /// Has the tables of `schema`, whose session has ended, dropped by the next one that makes some.
    void leaveSchema(String schema) {
        leftSchemas.add(schema);
    }

    /// Takes one of these schemas; null if there is none.
    @Nullable String leftSchema() {
        return leftSchemas.poll();
    }

    PlanCache plans() {
        return plans;
    }

    /// COMMIT, as what commits without a text are counted; the same whatever the catalog.
    Compiler.Compiled commitStatement() {
        Compiler.Compiled known = commitStatement;
        if (known == null) {
            known = plans.alone("COMMIT", null, catalog());
            commitStatement = known;
        }
        return known;
    }

    Tables tables() {
        return tables;
    }

    /// What is counted and sampled of the statements.
    Watch watch() {
        return watch;
    }

    InstantSource clock() {
        return clock;
    }
}
