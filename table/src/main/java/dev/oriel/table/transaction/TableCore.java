package dev.oriel.table.transaction;

import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.Expressions;
import dev.oriel.table.array.Versions;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Table;
import dev.oriel.table.expiry.ExpiryBound;
import dev.oriel.table.schema.Schema;
import dev.oriel.table.statistics.Statistics;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// State that the transactions of all tables share: the store, the committed definitions, counters of sequences, bounds
/// of expiry, and the language of expressions.
public final class TableCore {
    /// Names of trees that hold rows, or entries of an index.
    private static final Pattern TREE_OF_DEFINITION = Pattern.compile("[it][0-9]+");

    private final Store store;
    private final LongSupplier clock;
    private final LongSupplier oldest;
    private final Versions<Schema> schemas = new Versions<>();
    private final Statistics statistics;
    private final ConcurrentMap<Long, SequenceCounter> counters = new ConcurrentHashMap<>();
    private volatile @Nullable Expressions expressions;

    /// Numbers of catalog versions. None is given twice, not even after a rollback, so a plan is valid as long as
    /// the number stays.
    private final AtomicLong versions = new AtomicLong();

    /// Working memory of ended transactions, for the next ones.
    private final Queue<KeyMemory> keyMemory = new ConcurrentLinkedQueue<>();

    /// Bounds of the next rows to expire, by table number.
    private final ConcurrentMap<Long, ExpiryBound> expiries = new ConcurrentHashMap<>();

    private final AtomicLong rowVersion = new AtomicLong();

    public TableCore(Store store, LongSupplier clock) {
        this.store = store;
        this.clock = clock;
        this.oldest = store::oldestSnapshot;
        this.statistics = new Statistics(store, schemas);
    }

    Store store() {
        return store;
    }

    public Statistics statistics() {
        return statistics;
    }

    /// The time in microseconds since 1970.
    public long nowMicros() {
        return clock.getAsLong();
    }

    KeyMemory takeKeyMemory() {
        KeyMemory kept = keyMemory.poll();
        return kept != null ? kept : new KeyMemory(store::temporaryFile);
    }

    void giveBack(KeyMemory ended) {
        keyMemory.add(ended);
    }

    /// A version for a row, higher than `before` and than all given so far. It is the time with room for 256
    /// changes in each microsecond. So it goes on rising after the database is reopened, without a counter on the
    /// disk.
    long nextRowVersion(long before) {
        long time = clock.getAsLong() << 8;
        return rowVersion.accumulateAndGet(
                Math.max(time, before + 1), (last, wanted) -> Math.max(last + 1, wanted));
    }

    /// The newest committed definitions.
    public Schema newestSchema() {
        return schemas.newest();
    }

    /// The definitions of `snapshot`.
    public Schema schemaAt(long snapshot) {
        return schemas.at(snapshot);
    }

    /// Drops `trees`, which belong to no definition.
    public void drop(List<Tree> trees) {
        try (Transaction transaction = store.beginDefining(null)) {
            for (Tree tree : trees) {
                if (tree.equals(transaction.tree(tree.name()))) {
                    transaction.dropTree(tree);
                }
            }
            transaction.commit();
        }
    }

    /// Trees of definitions that are not committed, or never were.
    public List<Tree> unusedTrees() {
        try (Transaction transaction = store.beginRead()) {
            Schema schema = schemaAt(transaction.snapshot());
            return transaction.trees().stream()
                    .filter(tree -> TREE_OF_DEFINITION.matcher(tree.name()).matches())
                    .filter(tree -> !schema.hasTree(tree))
                    .toList();
        }
    }

    public ExpiryBound expiry(Table table) {
        return expiries.computeIfAbsent(table.id(), id -> new ExpiryBound());
    }

    /// The bound of the table with that number; null if it has none yet.
    @Nullable ExpiryBound expiry(long table) {
        return expiries.get(table);
    }

    /// The row under `key` of the table with that number was committed, and expires at `micros`.
    void noteExpiry(long table, byte[] key, long micros) {
        ExpiryBound bound = expiries.get(table);
        if (bound != null) {
            bound.note(key, micros);
        }
    }

    /// A row that expires at `micros` was committed to the table with that number.
    void noteExpiry(long table, long micros) {
        ExpiryBound bound = expiries.get(table);
        if (bound != null) { // else nothing is known of it
            bound.note(micros);
        }
    }

    public void expressions(Expressions language) {
        expressions = language;
    }

    public Expressions expressions() {
        Expressions language = expressions;
        if (language == null) {
            return (table, text, target) -> {
                throw new UsageException(
                        "An expression of the table cannot be evaluated here; write the row"
                                + " through SQL",
                        "table=" + table.name() + " expression=" + text);
            };
        }
        return language;
    }

    /// The counter of the sequence `id`.
    public SequenceCounter counter(long id) {
        return counters.computeIfAbsent(id, of -> new SequenceCounter(store));
    }

    /// Forgets the counter of a sequence that is about to be made, or was dropped.
    void forgetCounter(long id) {
        counters.remove(id);
    }

    /// Writes the last numbers of sequences that are in `last`, so neither dropped nor undone.
    public void closeCounters(Catalog last) {
        counters.forEach((id, counter) -> {
            if (last.sequence(id) != null) {
                counter.close(id);
            }
        });
    }

    /// Makes the definitions of an opening visible.
    public void publishFirst(long txid, Schema schema) {
        schemas.publish(txid, schema, oldest);
    }

    public long nextVersion() {
        return versions.incrementAndGet();
    }

    public LongSupplier oldest() {
        return oldest;
    }

    /// Makes `schema` visible to snapshots from `txid` on.
    void publish(long txid, Schema schema) {
        if (schemas.newest().version() != schema.version()) {
            schemas.publish(txid, schema, oldest);
            expiries.clear(); // rows may have got another column for it
        }
    }
}
