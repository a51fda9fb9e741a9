package dev.oriel.store.engine;

import dev.oriel.store.BulkOptions;
import dev.oriel.store.ClosedException;
import dev.oriel.store.Cursor;
import dev.oriel.store.Entries;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.checkpoint.Load;
import dev.oriel.store.page.Page;
import dev.oriel.store.sort.EntryBuffer;
import dev.oriel.store.sort.EntryMerge;
import dev.oriel.store.sort.EntrySort;
import dev.oriel.store.sort.RunFile;
import dev.oriel.store.transaction.Transactions;
import dev.oriel.store.transaction.WriteTransaction;
import dev.oriel.store.tree.TreeEditor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A bulk load: entries of any number of trees, in any order, that become visible all at once, or never.
/// Begun with [Store#bulk()].
///
/// ```
/// add ---> buffer ---> sorted run ---> | temporary-sort |     in memory up to sortBytesMax, then on the disk
///                      sorted run ---> |                | ---> merge ---> pages of the data file at commit
/// ```
/// - Entries are sorted in bounded memory. At commit each tree is filled in key order. An empty tree gets new pages
///   that go straight to the data file and not through the log. A tree that gets many entries is built likewise, from
///   its old and new entries. If a tree gets few entries, they are put one by one.
/// - It is an exclusive transaction: it waits until no other one writes, as a node of the wait-for graph, and lets
///   none write until it ends. Readers continue.
/// - If it is not called for a while ([BulkOptions#idleMillisMax]), it is rolled back, and the next call says so.
/// - As durable as the transactions of its transactions. A crash finds all of it or nothing.
///
/// May be used by several threads; concurrent calls wait for each other.
public final class Bulk implements AutoCloseable {
    /// Size up to which filling an empty tree is not worth a sync of the data file.
    private static final long LITTLE_BYTES = 64 << 10;

    /// Size from which filling a tree is worth a thread.
    private static final long MUCH_BYTES = 8 << 20;

    private static final int NEAR = 16;

    private final Transactions transactions;
    private final WriteTransaction transaction;
    private final BulkOptions options;
    private final int chunksMax;
    private final Map<Long, Target> targets = new LinkedHashMap<>();

    /// The target last added to, by the last bits of the root.
    private final @Nullable Target[] near = new Target[NEAR];

    private final @Nullable Thread watch;
    private @Nullable RunFile runs;
    private long usedNanos;

    /// Calls of [#add], and their number at the last check of the time.
    private long adds;

    private long addsSeen;

    /// Bytes in the buffers of all targets.
    private long memoryBytes;

    private boolean lent;
    private boolean ended;
    private boolean expired;
    private boolean broken;

    /// A tree and the entries added to it.
    private record Target(Tree tree, EntrySort sort) {}

    Bulk(Transactions transactions, WriteTransaction transaction, BulkOptions options) {
        this(transactions, transaction, options, EntryBuffer.CHUNKS_MAX);
    }

    Bulk(
            Transactions transactions,
            WriteTransaction transaction,
            BulkOptions options,
            int chunksMax) {
        this.chunksMax = chunksMax;
        this.transactions = transactions;
        this.transaction = transaction;
        this.options = options;
        this.usedNanos = transactions.core().nanos();
        this.watch = options.idleMillisMax() > 0 ? startToWatch() : null;
    }

    /// If the thread cannot be started, the transaction ends: the caller has no other way to end it.
    private Thread startToWatch() {
        boolean started = false;
        try {
            Thread thread = transactions.core().threads().start("oriel-bulk", this::watch);
            started = true;
            return thread;
        } finally {
            if (!started) {
                transaction.close();
            }
        }
    }

    /// The tree `name`, which is created if there is none.
    public synchronized Tree tree(String name) {
        begin();
        try {
            Tree tree = transaction.tree(name);
            return tree == null ? transaction.createTree(name) : tree;
        } finally {
            used();
        }
    }

    /// The transaction it works in, for definitions and reads that belong to it. Added entries are not seen there.
    /// It may be used before the first [#add] and after [#fill()], after a call of [#checkOpen].
    public synchronized Transaction transaction() {
        begin();
        return transaction;
    }

    /// Throws if the load has ended.
    ///
    /// @param lent whether the transaction is about to be used: then the load is not taken for idle, however
    ///     long that takes, until the next [#add]
    /// @throws LimitException if it was idle for too long and rolled back
    /// @throws ClosedException if it has ended
    public synchronized void checkOpen(boolean lent) {
        begin();
        this.lent |= lent;
        used();
    }

    /// Adds an entry. If the key comes again, or is in the tree, the last one counts.
    ///
    /// @throws LimitException if key or value are longer than the store allows, or there is no room to
    ///     sort; the load can only be closed then
    public void add(Tree tree, Slice key, Slice value) {
        add(tree, key, value, EntrySort.Duplicates.LAST_COUNTS::found);
    }

    /// Adds an entry with a unique key: it may neither come twice nor be in the tree. `refused` is called with a
    /// duplicate, at [#fill()] at the latest, and throws. The first call for a tree decides for all.
    public synchronized void add(Tree tree, Slice key, Slice value, Consumer<Slice> refused) {
        begin();
        lent = false;
        adds++;
        boolean done = false;
        try {
            TreeEditor.checkLengths(key, value);
            EntrySort sort = target(tree, refused).sort;
            makeRoom(sort, key, value);
            long before = sort.memoryBytes();
            sort.add(key, value);
            memoryBytes += sort.memoryBytes() - before;
            done = true;
        } finally {
            broken |= !done;
        }
    }

    private Target target(Tree tree, Consumer<Slice> refused) {
        int place = (int) tree.root() & (NEAR - 1);
        Target last = near[place];
        if (last != null && last.tree.root() == tree.root()) {
            return last;
        }
        Target target = targets.get(tree.root());
        if (target == null) {
            target = new Target(tree, new EntrySort(refused::accept, chunksMax));
            targets.put(tree.root(), target);
        }
        near[place] = target;
        return target;
    }

    /// If memory is used up, the fullest buffer becomes a run, if there are files.
    private void makeRoom(EntrySort next, Slice key, Slice value) {
        boolean takes = next.takes(key, value);
        if (transactions.core().isInMemory()) {
            if (!takes) {
                throw new LimitException(
                        "A bulk load into a database in memory takes 2 GB for each tree; load the rest"
                                + " in another one",
                        "bytes=" + next.memoryBytes());
            }
            return;
        }
        if (!takes) {
            spill(next);
        }
        if (memoryBytes < options.sortBytesMax()) {
            return;
        }
        EntrySort fullest = next;
        for (Target target : targets.values()) {
            if (target.sort.memoryBytes() > fullest.memoryBytes()) {
                fullest = target.sort;
            }
        }
        spill(fullest);
    }

    private void spill(EntrySort sort) {
        memoryBytes -= sort.memoryBytes();
        sort.spill(runs());
        memoryBytes += sort.memoryBytes();
    }

    private RunFile runs() {
        RunFile opened = runs;
        if (opened == null) {
            opened =
                    new RunFile(
                            Objects.requireNonNull(
                                            transactions.core().files(), "a store without files")
                                    .directory());
            runs = opened;
        }
        return opened;
    }

    /// Puts all added entries into the trees, for [#transaction()] to see.
    ///
    /// @throws LimitException if there is no room; the load can only be closed then
    public synchronized void fill() {
        begin();
        boolean done = false;
        try {
            fillAll();
            targets.clear();
            Arrays.fill(near, null);
            memoryBytes = 0;
            done = true;
        } finally {
            broken |= !done;
            used();
        }
    }

    /// Large loads of empty trees are run two at a time, the others one after the other.
    private void fillAll() {
        List<Target> large = new ArrayList<>();
        for (Target target : targets.values()) {
            boolean much =
                    target.sort.entryBytes() >= MUCH_BYTES
                            && Load.isEmpty(transaction.pages(), target.tree.root());
            if (much
                    && transactions.committer().loads()
                    && transactions.core().threads().attending()) {
                large.add(target);
            } else {
                fill(target.tree, target.sort);
            }
        }
        if (large.size() == 1) {
            fill(large.getFirst().tree, large.getFirst().sort);
        } else if (!large.isEmpty()) {
            large.sort((a, b) -> Long.compare(b.sort.entries(), a.sort.entries()));
            transaction.fill(
                    large.stream()
                            .map(each -> new Load.Filling(each.tree.root(), entriesOf(each.sort)))
                            .toList(),
                    options.whileFilling());
        }
    }

    /// The entries in order; the thread that reads the first one sorts them.
    private Entries entriesOf(EntrySort sort) {
        return new Entries() {
            private @Nullable EntryMerge merged;

            @Override
            public boolean next(Slice key, Slice value) {
                EntryMerge from = merged;
                if (from == null) {
                    from = sort.merged(runs, null, options.sortBytesMax() / 2);
                    merged = from;
                }
                return from.next(key, value);
            }
        };
    }

    private void fill(Tree tree, EntrySort sort) {
        boolean empty = Load.isEmpty(transaction.pages(), tree.root());
        boolean little =
                empty
                        ? sort.entryBytes() <= LITTLE_BYTES
                        : sort.entries() * Page.BYTES
                                <= transactions.core().options().dirtyBytesMax() / 2;
        if (little || !transactions.committer().loads()) {
            putAll(tree, sort);
        } else {
            long _ =
                    transaction.refill(
                            tree,
                            cursor ->
                                    sort.merged(
                                            runs, new TreeSource(cursor), options.sortBytesMax()),
                            options.whileFilling());
        }
    }

    private void putAll(Tree tree, EntrySort sort) {
        EntryMerge merged = sort.merged(runs, null, options.sortBytesMax());
        Slice key = new Slice();
        Slice value = new Slice();
        while (merged.next(key, value)) {
            if (!transaction.insert(tree, key, value)) {
                sort.foundTwice(key);
                transaction.put(tree, key, value);
            }
        }
    }

    /// The entries that a tree had before.
    private static final class TreeSource extends EntryMerge.Source {
        private final Cursor cursor;
        private boolean begun;

        TreeSource(Cursor cursor) {
            super(0);
            this.cursor = cursor;
        }

        @Override
        public boolean next() {
            boolean found = begun ? cursor.next() : cursor.first();
            begun = true;
            if (found) {
                cursor.key(key);
                cursor.value(value);
            }
            return found;
        }
    }

    /// Makes all of it visible, as durable as the store's options say.
    ///
    /// @throws LimitException if there is no room; the load can only be closed then
    public synchronized Transaction.Commit commit() {
        fill();
        Transaction.Commit commit = transaction.commit();
        end();
        return commit;
    }

    /// Rolls it back, unless it was committed. A second call does nothing.
    @Override
    public synchronized void close() {
        end();
    }

    private void end() {
        if (ended) {
            return;
        }
        ended = true;
        LockSupport.unpark(watch);
        targets.clear();
        try {
            transaction.close();
        } finally {
            if (runs != null) {
                runs.close();
            }
        }
    }

    private void begin() {
        if (expired) {
            throw new LimitException(
                    "The bulk load was idle for too long and was rolled back, so that others can write;"
                            + " begin it again",
                    "idleMillisMax=" + options.idleMillisMax());
        }
        if (ended) {
            throw new ClosedException("The bulk load has ended", "");
        }
        if (broken) {
            throw new UsageException("The bulk load failed half way; close it", "");
        }
    }

    private void used() {
        usedNanos = transactions.core().nanos();
    }

    /// Waits until the load has been idle for too long, or has ended.
    private void watch() {
        for (long left = idleNanosLeft(); left > 0; left = idleNanosLeft()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /// Nanoseconds until it is rolled back; 0 if it has ended.
    private synchronized long idleNanosLeft() {
        if (ended) {
            return 0;
        }
        if (adds != addsSeen) { // since the last check, which may be a while ago
            addsSeen = adds;
            used();
        }
        long max = TimeUnit.MILLISECONDS.toNanos(options.idleMillisMax());
        long left = lent ? max : max - (transactions.core().nanos() - usedNanos);
        if (left <= 0) {
            end();
            expired = true;
        }
        return left;
    }
}
