package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tuple;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One statement's runs, one after the other: what they share beside the plan. The operators of a
/// statement are made for an execution and live as long.
final class Execution {
    private final InstantSource clock;
    private final Cancellation cancellation;
    private final QueryMemory.Source memorySource;
    private Row parameters;
    private @Nullable QueryMemory memory;
    private @Nullable Analysis analysis;
    private @Nullable TableTransaction transaction;
    private long nowMicros;
    private boolean nowKnown;

    /// What the session was given of sequences.
    private SequenceFunctions.Given given = new SequenceFunctions.Given();

    /// Distinguishes what was found out in this run from what was in those before.
    private long run;

    /// By numbers of queries: what they were given, the subqueries as they run, rows that are kept.
    private @Nullable Tuple[] arguments = new @Nullable Tuple[0];

    private @Nullable SubqueryRun[] subqueries = new @Nullable SubqueryRun[0];
    private @Nullable KeptRows[] kept = new @Nullable KeptRows[0];

    Execution(InstantSource clock, Cancellation cancellation, Row parameters) {
        this(clock, cancellation, QueryMemory.UNBOUNDED, parameters);
    }

    Execution(
            InstantSource clock,
            Cancellation cancellation,
            QueryMemory.Source memorySource,
            Row parameters) {
        this.clock = clock;
        this.cancellation = cancellation;
        this.memorySource = memorySource;
        this.parameters = parameters;
    }

    /// What its operators may keep; made when one asks for it.
    QueryMemory memory() {
        QueryMemory own = memory;
        if (own == null) {
            own = new QueryMemory(memorySource);
            memory = own;
        }
        return own;
    }

    /// The same, where an operator has asked for it.
    @Nullable QueryMemory memoryUsed() {
        return memory;
    }

    /// Another one, for rows that are kept beyond the run.
    QueryMemory memoryOfResult() {
        return new QueryMemory(memorySource);
    }

    /// Has the operators that are made from now on measured; with null, not any more.
    void analysis(@Nullable Analysis measuring) {
        this.analysis = measuring;
    }

    /// Where its operators are measured, by EXPLAIN ANALYZE or because the statement is followed.
    @Nullable Analysis analysis() {
        return analysis;
    }

    /// The run that has started is measured from here on.
    void measure(Analysis measuring) {
        measuring.begin();
        measuring.reads(transaction);
    }

    /// `operator`; as one that is measured for `key` in the plan, where the run is.
    Operator measured(Object key, Operator operator) {
        Analysis measuring = analysis;
        return measuring == null || key instanceof Plan.Joined
                ? operator
                : new MeasuredOperator(operator, measuring, key);
    }

    SequenceFunctions.Given given() {
        return given;
    }

    /// Notes from now on in `session` what sequences give.
    void given(SequenceFunctions.Given session) {
        given = session;
    }

    /// Starts a run in `transaction`.
    void start(TableTransaction transaction) {
        this.transaction = transaction;
        if (analysis != null) {
            analysis.reads(transaction);
        }
        if (memory != null) {
            memory.begin();
        }
        this.nowKnown = false;
        run++;
    }

    /// Forgets all that belongs to a plan, which another one is to follow.
    void reset() {
        arguments = new @Nullable Tuple[0];
        subqueries = new @Nullable SubqueryRun[0];
        kept = new @Nullable KeptRows[0];
    }

    /// Lets go of the rows that were kept for this run.
    void release() {
        run++;
        for (SubqueryRun subquery : subqueries) {
            if (subquery != null) {
                subquery.release();
            }
        }
        for (KeptRows rows : kept) {
            if (rows != null) {
                rows.clear();
            }
        }
        if (memory != null) {
            memory.end();
        }
    }

    /// Number of this run.
    long run() {
        return run;
    }

    /// What the query `number` was given.
    Row arguments(int number) {
        Tuple given = number < arguments.length ? arguments[number] : null;
        if (given == null) {
            throw new IllegalStateException("query " + number + " was given nothing");
        }
        return given;
    }

    /// A place for what the query `number` is given.
    Tuple arguments(int number, int count) {
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

    /// The subquery `nested` in this execution.
    SubqueryRun subquery(Subquery.Nested nested) {
        int number = nested.number();
        if (number >= subqueries.length) {
            subqueries = Arrays.copyOf(subqueries, Math.max(number + 1, 2 * subqueries.length));
        }
        SubqueryRun found = subqueries[number];
        if (found == null) {
            found = new SubqueryRun(nested, this);
            subqueries[number] = found;
        }
        return found;
    }

    /// The rows that are kept under `number`.
    KeptRows kept(int number) {
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

    TableTransaction transaction() {
        if (transaction == null) {
            throw new IllegalStateException("the execution has not started");
        }
        return transaction;
    }

    Row parameters() {
        return parameters;
    }

    void parameters(Row row) {
        this.parameters = row;
        run++;
    }

    /// The time of this run in microseconds since 1970: the same wherever it is asked for.
    long nowMicros() {
        if (!nowKnown) {
            Instant now = clock.instant();
            nowMicros =
                    Math.addExact(
                            Math.multiplyExact(now.getEpochSecond(), 1_000_000L),
                            now.getNano() / 1_000);
            nowKnown = true;
        }
        return nowMicros;
    }

    /// To be called once a row in every loop: fails if the session has been cancelled.
    void poll() {
        if (cancellation.requested()) {
            throw cancellation.error();
        }
    }

    /// The one thing that a session shares with other threads.
    static final class Cancellation {
        /// Of the session that writes in a thread: what the layers below ask there while they wait for a
        /// lock, or work for long.
        private static final ThreadLocal<@Nullable Cancellation> WRITING = new ThreadLocal<>();

        private volatile boolean requested;

        /// Fails if what this thread writes has been cancelled.
        static void pollWriting() {
            Cancellation own = WRITING.get();
            if (own != null && own.requested) {
                throw own.error();
            }
        }

        /// This thread writes from now on.
        void enter() {
            WRITING.set(this);
        }

        /// It does not any more.
        void leave() {
            WRITING.remove();
        }

        boolean requested() {
            return requested;
        }

        void request() {
            requested = true;
        }

        void clear() {
            if (requested) { // to write costs more than to read
                requested = false;
            }
        }

        SqlException error() {
            return new SqlException(
                    SqlException.Kind.CANCELLED, "The statement was cancelled", -1, null);
        }
    }
}
