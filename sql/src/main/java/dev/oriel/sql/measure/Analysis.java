package dev.oriel.sql.measure;

import dev.oriel.table.KeySearches;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Table;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// Measurements of one run of a statement for EXPLAIN ANALYZE: time and counts of each operator.
///
/// At every moment one node is the current one. Whenever that changes, the time since the last change goes to the
/// previous node. So each stretch of time counts for exactly one node, and the self times add up to the whole, to
/// the nanosecond. The clock is read once a change: [MeasuredOperator] changes it twice a call. Pages are counted
/// in the same way.
///
/// A run measured only for the log of slow statements must not become much slower. After a number of changes
/// ([#exactFor]) it is timed by a clock that ticks.
///
/// For a profile that runs over many statements the clock is one that ticks ([OperatorTicks]). A tick counts for
/// the node that was current at the time. An [OperatorTrack] records the current node over time.
///
/// Belongs to the thread that runs the statement; other threads may read its nodes.
public final class Analysis implements OperatorTicks.Profiled, KeySearches {
    /// Counters of one node of the plan.
    public static final class Node {
        /// Class name of the operator, as in stack traces.
        public final String operator;

        /// Node within whose call it is called; null for the statement.
        public @Nullable Node caller;

        public long selfNanos;
        public long pages;
        public long opens;
        public long rows;
        public long calls;
        public long firstRowNanos = -1;
        public long memoryBytes;
        public long putAsideBytes;

        public Node(String operator) {
            this.operator = operator;
        }

        private void clear() {
            selfNanos = 0;
            pages = 0;
            opens = 0;
            rows = 0;
            calls = 0;
            firstRowNanos = -1;
            memoryBytes = 0;
            putAsideBytes = 0;
        }
    }

    /// Searches of one foreign key for rows that refer to a key.
    public static final class KeySearch {
        public final Table table;
        public final ForeignKey key;
        public long times;

        /// Number of times that all rows of the table were read, for want of an index.
        public long timesAll;

        public long rows;
        public long nanos;

        KeySearch(Table table, ForeignKey key) {
            this.table = table;
            this.key = key;
        }
    }

    /// Work of the statement outside of operators: beginning, writing, ending.
    public final Node statement = new Node("");

    /// Commit of the transaction, if the statement ends it.
    public final Node commit = new Node("");

    /// Clock that times nodes.
    public enum Clock {
        /// No clock: nodes are only counted.
        NONE,
        /// A clock that ticks every millisecond.
        TICKS,
        /// The real clock.
        EXACT
    }

    private static final int REPLAYED = 1_000;
    private static final long REPLAY_NANOS_MAX = 5_000_000;

    private final Clock clock;
    private final @Nullable OperatorTrack track;
    private final IdentityHashMap<Object, Node> nodes = new IdentityHashMap<>();

    /// Nodes in order of creation, few. The profiler reads them while the running statement may add more.
    private final List<Node> order = new CopyOnWriteArrayList<>();

    /// By the name of the key; a run of the statement has one thread.
    private final Map<String, KeySearch> keySearches = new LinkedHashMap<>();

    private Node current = statement;
    private @Nullable TableTransaction transaction;

    /// The transaction that the run read in last.
    private @Nullable TableTransaction lastRead;

    private long pagesBefore;
    private long begun;
    private long last;
    private long noted;
    private long ended;
    private long changes;
    private volatile boolean running;

    /// Number of changes that are timed by the real clock.
    private long exactMost = Long.MAX_VALUE;

    /// Measures without a track.
    public Analysis(boolean timing) {
        this(timing ? Clock.EXACT : Clock.NONE, null);
    }

    public Analysis(Clock clock, @Nullable OperatorTrack track) {
        this.clock = clock;
        this.track = track;
    }

    /// Times a run by the ticking clock after `changesMost` changes.
    public Analysis exactFor(long changesMost) {
        exactMost = changesMost;
        return this;
    }

    /// Begins a run; the measurements of the previous one are cleared.
    public void begin() {
        statement.clear();
        commit.clear();
        for (int i = 0; i < order.size(); i++) {
            order.get(i).clear();
        }
        keySearches.clear();
        current = statement;
        changes = 0;
        running = true;
        begun = clock == Clock.TICKS ? OperatorTicks.now() : System.nanoTime();
        last = begun;
    }

    /// Ends the run.
    public void end() {
        long now = clock == Clock.TICKS ? OperatorTicks.now() : System.nanoTime();
        if (clock == Clock.TICKS && now != last) {
            note(now);
        }
        ended = now;
        current.selfNanos += ended - last;
        last = ended;
        running = false;
        reads(null);
        if (lastRead != null) {
            lastRead.tell(null);
        }
    }

    /// Whether a run has begun and not ended.
    public boolean running() {
        return running;
    }

    @Override
    public boolean ended() {
        return !running;
    }

    /// The operators over time; null if they are not recorded.
    public @Nullable OperatorTrack track() {
        return track;
    }

    /// The statement reads in the transaction `now` from here on.
    public void reads(@Nullable TableTransaction now) {
        if (transaction != null) {
            current.pages += transaction.pagesRead() - pagesBefore;
        }
        transaction = now;
        if (now != null && running) {
            lastRead = now;
            now.tell(this);
        }
        pagesBefore = now == null ? 0 : now.pagesRead();
    }

    @Override
    public long now() {
        return clock == Clock.EXACT ? System.nanoTime() : 0;
    }

    @Override
    public void searched(Table table, ForeignKey key, boolean all, long rows, long nanos) {
        KeySearch search =
                keySearches.computeIfAbsent(
                        table.id() + "." + key.name(), name -> new KeySearch(table, key));
        search.times++;
        search.timesAll += all ? 1 : 0;
        search.rows += rows;
        search.nanos += nanos;
    }

    /// The searches for rows that refer to a key, by foreign key.
    public Collection<KeySearch> keySearches() {
        return keySearches.values();
    }

    /// The node of plan element `key`, which `operator` runs.
    public Node node(Object key, Class<?> operator) {
        Node known = nodes.get(key);
        if (known == null) {
            known = new Node(operator.getSimpleName());
            nodes.put(key, known);
            order.add(known);
        }
        return known;
    }

    /// The node of `key`, or null if it has not run.
    public @Nullable Node find(Object key) {
        return nodes.get(key);
    }

    /// All nodes, except for the statement's own two.
    public List<Node> nodes() {
        return order;
    }

    /// Makes `node` the current one; returns the previous one.
    public Node enter(Node node) {
        Node before = current;
        if (node.caller == null && before != node) {
            node.caller = before;
        }
        change(node);
        return before;
    }

    /// Makes `before` the current one again.
    public void leave(Node before) {
        change(before);
    }

    private void change(Node to) {
        changes++;
        TableTransaction read = transaction;
        if (read != null) {
            long pages = read.pagesRead();
            current.pages += pages - pagesBefore;
            pagesBefore = pages;
        }
        if (clock == Clock.EXACT && changes <= exactMost) {
            long now = System.nanoTime();
            current.selfNanos += now - last;
            last = now;
            if (track != null && now - noted >= track.resolutionNanos()) {
                note(now);
            }
        } else if (clock != Clock.NONE) {
            if (changes - 1 == exactMost) {
                OperatorTicks.start(this);
            }
            long now = OperatorTicks.now();
            if (now > last) {
                current.selfNanos += now - last;
                last = now;
                note(now);
            }
        }
        current = to;
    }

    private void note(long now) {
        if (track != null) {
            noted = now;
            track.note(now, current);
        }
    }

    /// Time since the run began, for the first row of the current node.
    public long sinceBegin() {
        return clock == Clock.NONE ? 0 : last - begun;
    }

    public long totalNanos() {
        return ended - begun;
    }

    public boolean timing() {
        return clock == Clock.EXACT;
    }

    /// Approximate overhead of measuring, found after the run by repeating the same changes, with notes for a track if
    /// there is one. Repeats until the JVM has compiled them, as in the run, and takes [#REPLAY_NANOS_MAX] at most.
    public long measuringNanos() {
        Analysis probe = new Analysis(clock, track == null ? null : new OperatorTrack());
        Node node = new Node("");
        double best = Double.MAX_VALUE;
        long begun = System.nanoTime();
        long start = begun;
        do {
            probe.transaction = lastRead;
            for (int j = 0; j < REPLAYED; j++) {
                probe.leave(probe.enter(node));
            }
            long now = System.nanoTime();
            best = Math.min(best, (double) (now - start) / (2L * REPLAYED));
            start = now;
        } while (start - begun < REPLAY_NANOS_MAX);
        long timed = Math.min(changes, exactMost);
        return Math.min((long) (best * timed), totalNanos());
    }
}
