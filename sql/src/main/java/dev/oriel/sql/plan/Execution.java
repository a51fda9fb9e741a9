package dev.oriel.sql.plan;

import dev.oriel.io.FileAccess;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.measure.Analysis;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The state shared by the runs of one statement, apart from its plan. The operators of a statement are made for
/// an execution and live as long.
public final class Execution {
    private final InstantSource clock;
    private final List<Runnable> atEnd = new ArrayList<>(0);
    private final Cancellation cancellation;
    private final QueryMemory.Source memorySource;
    private final Subquery.Runs subqueries;

    /// Number of enclosing statements with bodies.
    private final int depth;

    /// Whether constraints are left to the statement around it.
    private final boolean within;

    private @Nullable Bodies bodies;

    /// Triggers of the statement that runs; null if no table has any.
    private @Nullable Triggering triggering;

    private Row parameters;
    private @Nullable QueryMemory memory;
    private @Nullable Analysis analysis;
    private @Nullable TableTransaction transaction;
    private FileAccess files = FileAccess.NONE;
    private long nowMicros;
    private boolean nowKnown;
    private List<String> warnings = List.of();

    /// Values that sequences have given to the session.
    private SequenceFunctions.Given given = new SequenceFunctions.Given();

    private Settings settings = Settings.NONE;

    /// Number of the run, which distinguishes its cached results from earlier ones.
    private long run;

    /// By query number: its arguments, the change count of these and of its kept rows, its runs, and its kept
    /// rows.
    private @Nullable Tuple[] arguments = new @Nullable Tuple[0];

    private long[] changes = new long[0];

    private Subquery.@Nullable Run[] runs = new Subquery.@Nullable Run[0];
    private @Nullable KeptRows[] kept = new @Nullable KeptRows[0];

    /// An execution of a single expression without subqueries.
    public Execution(InstantSource clock, Row parameters) {
        this(clock, new Cancellation(), QueryMemory.UNBOUNDED, Subquery.NONE, parameters);
    }

    /// @param subqueries makes the runs of subqueries
    public Execution(
            InstantSource clock,
            Cancellation cancellation,
            QueryMemory.Source memorySource,
            Subquery.Runs subqueries,
            Row parameters) {
        this(clock, cancellation, memorySource, subqueries, parameters, 0, false);
    }

    private Execution(
            InstantSource clock,
            Cancellation cancellation,
            QueryMemory.Source memorySource,
            Subquery.Runs subqueries,
            Row parameters,
            int depth,
            boolean within) {
        this.depth = depth;
        this.within = within;
        this.subqueries = subqueries;
        this.clock = clock;
        this.cancellation = cancellation;
        this.memorySource = memorySource;
        this.parameters = parameters;
    }

    /// An execution of a statement of a body, which this one runs.
    ///
    /// @param values of the body
    /// @param unfinished whether this statement has not yet changed all of its rows
    public Execution nested(Row values, boolean unfinished) {
        Execution nested =
                new Execution(
                        clock,
                        cancellation,
                        memorySource,
                        subqueries,
                        values,
                        depth + 1,
                        within || unfinished);
        nested.given = given;
        nested.files = files;
        nested.settings = settings;
        nested.bodies = bodies;
        return nested;
    }

    /// Number of enclosing statements with bodies.
    public int depth() {
        return depth;
    }

    /// Whether constraints are left to the statement around it, which has not yet changed all of its rows.
    public boolean within() {
        return within;
    }

    /// Plans of triggers and routines.
    public Bodies bodies() {
        return Objects.requireNonNull(bodies, "there are no plans of bodies");
    }

    /// Sets the plans of triggers and routines; there are none at first.
    public void bodies(Bodies plans) {
        bodies = plans;
    }

    /// Triggers of the statement that runs; null if no table has any.
    public @Nullable Triggering triggering() {
        return triggering;
    }

    /// Sets the triggers of the statement that runs.
    public void triggering(@Nullable Triggering running) {
        triggering = running;
    }

    /// The triggers of `table` for the statement that runs; null if it has none.
    public Triggering.@Nullable OfTable triggers(Table table) {
        Triggering running = triggering;
        return running == null ? null : running.of(table);
    }

    /// Tells whether the session has been cancelled.
    public Cancellation cancellation() {
        return cancellation;
    }

    /// Memory budget of its operators; made on first use.
    public QueryMemory memory() {
        QueryMemory own = memory;
        if (own == null) {
            own = new QueryMemory(memorySource);
            memory = own;
        }
        return own;
    }

    /// Memory budget of its operators; null if none has used it.
    public @Nullable QueryMemory memoryUsed() {
        return memory;
    }

    /// A new memory budget, for rows that are kept beyond the run.
    public QueryMemory memoryOfResult() {
        return new QueryMemory(memorySource);
    }

    /// Measures the operators that are made from now on; with null, no longer.
    public void analysis(@Nullable Analysis measuring) {
        this.analysis = measuring;
    }

    /// The measurements of its operators, for EXPLAIN ANALYZE or a traced statement; null if there are none.
    public @Nullable Analysis analysis() {
        return analysis;
    }

    /// Measures the started run from here on.
    public void measure(Analysis measuring) {
        measuring.begin();
        measuring.reads(transaction);
    }

    /// The settings of its session.
    public Settings settings() {
        return settings;
    }

    /// Sets the session settings that functions read and change.
    public void settings(Settings session) {
        settings = session;
    }

    /// The time zone of its session.
    public Zone zone() {
        return settings.zone();
    }

    public SequenceFunctions.Given given() {
        return given;
    }

    /// Records values given by sequences in `session` from now on.
    public void given(SequenceFunctions.Given session) {
        given = session;
    }

    /// Starts a run in `transaction`.
    public void start(TableTransaction transaction) {
        this.transaction = transaction;
        if (analysis != null) {
            analysis.reads(transaction);
        }
        if (memory != null) {
            memory.begin();
        }
        this.nowKnown = false;
        warnings = List.of();
        run++;
    }

    /// Adds the warning `sentence` to the run.
    public void warn(String sentence) {
        List<String> more = new ArrayList<>(warnings);
        more.add(sentence);
        warnings = List.copyOf(more);
    }

    /// Warnings of the last run.
    public List<String> warnings() {
        return warnings;
    }

    /// Runs `task` at the end of this run, to release rows that an operator keeps until then.
    public void atEnd(Runnable task) {
        atEnd.add(task);
    }

    /// Discards all state of a plan, before another one replaces it.
    public void reset() {
        arguments = new @Nullable Tuple[0];
        changes = new long[0];
        runs = new Subquery.@Nullable Run[0];
        kept = new @Nullable KeptRows[0];
    }

    /// Releases the rows that were kept for this run.
    public void release() {
        run++;
        for (Subquery.Run subquery : runs) {
            if (subquery != null) {
                subquery.release();
            }
        }
        for (KeptRows rows : kept) {
            if (rows != null) {
                rows.clear();
            }
        }
        atEnd.forEach(Runnable::run);
        atEnd.clear();
        if (memory != null) {
            memory.end();
        }
    }

    /// The files that the statement may read and write.
    public FileAccess files() {
        return files;
    }

    /// Sets the files that the statement may read and write; there are none at first.
    public void files(FileAccess access) {
        files = access;
    }

    /// Number of this run.
    public long run() {
        return run;
    }

    /// The arguments of query `number`.
    public Row arguments(int number) {
        Tuple given = number < arguments.length ? arguments[number] : null;
        if (given == null) {
            throw new IllegalStateException("query " + number + " was given nothing");
        }
        return given;
    }

    /// The tuple for the arguments of query `number`.
    public Tuple arguments(int number, int count) {
        if (number >= arguments.length) {
            arguments = Arrays.copyOf(arguments, Math.max(number + 1, 2 * arguments.length));
        }
        Tuple given = arguments[number];
        if (given == null) {
            given = new Tuple(count);
            arguments[number] = given;
        }
        return given;
    }

    /// Counts a change: the query `number` gets other arguments from here on, or keeps other rows for its next
    /// step.
    public void changed(int number) {
        if (number >= changes.length) {
            changes = Arrays.copyOf(changes, Math.max(number + 1, 2 * changes.length));
        }
        changes[number]++;
    }

    /// The change count of the queries `numbers`: results that depend on these alone stay valid while it does not
    /// change.
    public long changes(int[] numbers) {
        long all = 0;
        for (int number : numbers) {
            all += number < changes.length ? changes[number] : 0;
        }
        return all;
    }

    /// The subquery `nested` in this execution.
    public Subquery.Run subquery(Subquery.Nested nested) {
        int number = nested.number();
        if (number >= runs.length) {
            runs = Arrays.copyOf(runs, Math.max(number + 1, 2 * runs.length));
        }
        Subquery.Run found = runs[number];
        if (found == null) {
            found = subqueries.of(nested, this);
            runs[number] = found;
        }
        return found;
    }

    /// The rows that are kept under `number`.
    public KeptRows kept(int number) {
        if (number >= kept.length) {
            kept = Arrays.copyOf(kept, Math.max(number + 1, 2 * kept.length));
        }
        KeptRows found = kept[number];
        if (found == null) {
            found = new KeptRows();
            kept[number] = found;
        }
        return found;
    }

    public TableTransaction transaction() {
        if (transaction == null) {
            throw new IllegalStateException("the execution has not started");
        }
        return transaction;
    }

    public Row parameters() {
        return parameters;
    }

    public void parameters(Row row) {
        this.parameters = row;
        run++;
    }

    /// The time of this run in microseconds since 1970: the same throughout the run.
    long nowMicros() {
        if (!nowKnown) {
            nowMicros = clockMicros();
            nowKnown = true;
        }
        return nowMicros;
    }

    /// The current time in microseconds since 1970.
    long clockMicros() {
        Instant now = clock.instant();
        return Math.addExact(
                Math.multiplyExact(now.getEpochSecond(), 1_000_000L), now.getNano() / 1_000);
    }

    /// To be called once a row in every loop: fails if the session has been cancelled.
    public void poll() {
        cancellation.poll();
    }
}
