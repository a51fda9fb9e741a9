package dev.oriel;

import dev.oriel.sql.OpenTransaction;
import dev.oriel.table.TableTransaction;
import java.lang.System.Logger.Level;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The open transactions over several faces of a database. A forgotten one, to which no object refers, is rolled
/// back and named in the log. This happens when the next one begins, or when they are listed.
final class OpenTransactions {
    private static final int FRAMES_MAX = 16;
    private static final StackWalker STACK = StackWalker.getInstance();

    private final AtomicLong numbers = new AtomicLong();
    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<Transaction> forgotten = new ReferenceQueue<>();

    /// An open transaction. It refers to everything to be closed, and weakly to the [Transaction] itself.
    static final class Entry extends WeakReference<Transaction> {
        final long number;
        private final String name;
        private final TableTransaction rows;
        private final Engines.@Nullable Lease lease;
        private final long begunNanos = System.nanoTime();
        private final @Nullable String begunAt;
        private volatile List<String> faces = List.of();

        private Entry(
                Transaction transaction,
                ReferenceQueue<Transaction> queue,
                long number,
                String name,
                TableTransaction rows,
                Engines.@Nullable Lease lease,
                @Nullable String begunAt) {
            super(transaction, queue);
            this.number = number;
            this.name = name;
            this.rows = rows;
            this.lease = lease;
            this.begunAt = begunAt;
        }

        /// The face `name` takes part. Within a call of the transaction.
        void joinedBy(String face) {
            if (!faces.contains(face)) {
                List<String> all = new ArrayList<>(faces);
                all.add(face);
                faces = all;
            }
        }

        private OpenTransaction seen() {
            return new OpenTransaction(
                    number, name, String.join(", ", faces), rows, begunNanos, begunAt);
        }

        @Override
        public String toString() {
            return number + (name.isEmpty() ? "" : " (" + name + ")");
        }
    }

    /// `transaction` has begun.
    ///
    /// @param lease is closed with it; null if it belongs to a connection
    Entry begun(
            Transaction transaction,
            TransactionOptions options,
            TableTransaction rows,
            Engines.@Nullable Lease lease) {
        endForgotten();
        Entry entry =
                new Entry(
                        transaction,
                        forgotten,
                        numbers.incrementAndGet(),
                        options.name(),
                        rows,
                        lease,
                        options.traced() ? place() : null);
        entries.add(entry);
        return entry;
    }

    /// Forgets `entry`: its transaction has ended.
    void ended(Entry entry) {
        entries.remove(entry);
        entry.clear();
    }

    /// The open transactions, in the order in which they began.
    List<OpenTransaction> all() {
        endForgotten();
        List<OpenTransaction> all = new ArrayList<>();
        entries.forEach(entry -> all.add(entry.seen()));
        all.sort(Comparator.comparingLong(OpenTransaction::number));
        return all;
    }

    private void endForgotten() {
        for (Reference<?> next = forgotten.poll(); next != null; next = forgotten.poll()) {
            if (next instanceof Entry entry && entries.remove(entry)) {
                end(entry);
            }
        }
    }

    private static void end(Entry entry) {
        String begun =
                entry.begunAt == null
                        ? "; TransactionOptions.withTraced tells where it was begun"
                        : ", which was begun at\n" + entry.begunAt;
        System.getLogger("dev.oriel")
                .log(
                        Level.WARNING,
                        "Transaction {0} was forgotten instead of closed, and is rolled back{1}",
                        entry,
                        begun);
        Engines.Lease lease = entry.lease;
        if (lease == null) {
            return; // its connection ends it
        }
        try {
            entry.rows.close();
        } finally {
            lease.close();
        }
    }

    /// Topmost stack frames outside of this package.
    private static String place() {
        String own = OpenTransactions.class.getPackageName() + ".";
        return STACK.walk(frames ->
                frames.filter(frame -> !isOwn(frame.getClassName(), own))
                        .limit(FRAMES_MAX)
                        .map(StackWalker.StackFrame::toString)
                        .collect(java.util.stream.Collectors.joining("\n")));
    }

    private static boolean isOwn(String type, String own) {
        return type.equals(own + "Transaction")
                || type.equals(own + "OpenTransactions")
                || type.equals(own + "Attempts")
                || type.equals(own + "Database");
    }
}
