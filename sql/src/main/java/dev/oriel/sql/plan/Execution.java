package dev.oriel.sql.plan;

import dev.oriel.io.FileAccess;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.measure.Analysis;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.table.Row;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tuple;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One statement's runs, one after the other: what they share beside the plan. The operators of a
/// statement are made for an execution and live as long.
public final class Execution {
    private final InstantSource clock;
    private final List<Runnable> atEnd = new ArrayList<>(0);
    private final Cancellation cancellation;
    private final QueryMemory.Source memorySource;
    private final Subquery.Runs subqueries;
    private Row parameters;
    private @Nullable QueryMemory memory;
    private @Nullable Analysis analysis;
    private @Nullable TableTransaction transaction;
    private FileAccess files = FileAccess.NONE;
    private long nowMicros;
    private boolean nowKnown;
    private List<String> warnings = List.of();

    /// What the session was given of sequences.
    private SequenceFunctions.Given given = new SequenceFunctions.Given();

    private Settings settings = Settings.NONE;

    /// Distinguishes what was found out in this run from what was in those before.
    private long run;

    /// By numbers of queries: what they were given, how often that or the rows kept for them have changed, the runs
    /// as they run, rows that are kept.
    private @Nullable Tuple[] arguments = new @Nullable Tuple[0];

    private long[] changes = new long[0];

    private Subquery.@Nullable Run[] runs = new Subquery.@Nullable Run[0];
    private @Nullable KeptRows[] kept = new @Nullable KeptRows[0];

    /// One of an expression that stands alone, without queries in it.
    public Execution(InstantSource clock, Row parameters) {
        this(clock, new Cancellation(), QueryMemory.UNBOUNDED, Subquery.NONE, parameters);
    }

    /// @param subqueries makes what runs the queries within expressions
    public Execution(
            InstantSource clock,
            Cancellation cancellation,
            QueryMemory.Source memorySource,
            Subquery.Runs subqueries,
            Row parameters) {
        this.subqueries = subqueries;
        this.clock = clock;
        this.cancellation = cancellation;
        this.memorySource = memorySource;
        this.parameters = parameters;
    }

    /// Asked whether the session has been cancelled.
    public Cancellation cancellation() {
        return cancellation;
    }

    /// What its operators may keep; made when one asks for it.
    public QueryMemory memory() {
        QueryMemory own = memory;
        if (own == null) {
            own = new QueryMemory(memorySource);
            memory = own;
        }
        return own;
    }

    /// The same, where an operator has asked for it.
    public @Nullable QueryMemory memoryUsed() {
        return memory;
    }

    /// Another one, for rows that are kept beyond the run.
    public QueryMemory memoryOfResult() {
        return new QueryMemory(memorySource);
    }

    /// Has the operators that are made from now on measured; with null, not any more.
    public void analysis(@Nullable Analysis measuring) {
        this.analysis = measuring;
    }

    /// Where its operators are measured, by EXPLAIN ANALYZE or because the statement is followed.
    public @Nullable Analysis analysis() {
        return analysis;
    }

    /// The run that has started is measured from here on.
    public void measure(Analysis measuring) {
        measuring.begin();
        measuring.reads(transaction);
    }

    /// The settings of its session.
    public Settings settings() {
        return settings;
    }

    /// Has functions read and change `session`.
    public void settings(Settings session) {
        settings = session;
    }

    public SequenceFunctions.Given given() {
        return given;
    }

    /// Notes from now on in `session` what sequences give.
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

    /// Has `task` run when this run is over: it lets go of rows that an operator keeps until then.
    public void atEnd(Runnable task) {
        atEnd.add(task);
    }

    /// Forgets all that belongs to a plan, which another one is to follow.
    public void reset() {
        arguments = new @Nullable Tuple[0];
        changes = new long[0];
        runs = new Subquery.@Nullable Run[0];
        kept = new @Nullable KeptRows[0];
    }

    /// Lets go of the rows that were kept for this run.
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

    /// The files that it may read and write.
    public FileAccess files() {
        return files;
    }

    /// Sets which files it may read and write: none before.
    public void files(FileAccess access) {
        files = access;
    }

    /// Number of this run.
    public long run() {
        return run;
    }

    /// What the query `number` was given.
    public Row arguments(int number) {
        Tuple given = number < arguments.length ? arguments[number] : null;
        if (given == null) {
            throw new IllegalStateException("query " + number + " was given nothing");
        }
        return given;
    }

    /// A place for what the query `number` is given.
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

    /// Says that the query `number` is given other arguments from here on, or keeps other rows for its next step.
    public void changed(int number) {
        if (number >= changes.length) {
            changes = Arrays.copyOf(changes, Math.max(number + 1, 2 * changes.length));
        }
        changes[number]++;
    }

    /// Grows whenever one of the queries `numbers` has changed: what depends on them alone is good for as long as
    /// this stays.
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

    /// The time of this run in microseconds since 1970: the same wherever it is asked for.
    long nowMicros() {
        if (!nowKnown) {
            nowMicros = clockMicros();
            nowKnown = true;
        }
        return nowMicros;
    }

    /// The time of now in microseconds since 1970.
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
