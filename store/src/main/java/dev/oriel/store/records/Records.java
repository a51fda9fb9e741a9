package dev.oriel.store.records;

import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Records of bytes under stable ids that the store allots: the service of a record manager such as jdbm. The
/// records are rows of two trees, and take part in the transactions of all trees.
///
/// An id is a positive number. It stays the same while its record changes and grows. It may be reused after its
/// record is deleted and the deletion is committed ([RecordIds] says why that is safe). A caller that deletes a
/// record with a root name removes or changes the root.
///
/// A record that grows gets padding for further growth, so that most changes overwrite bytes in place; readers do
/// not see the padding. If a record is known from the beginning to grow, call [#insert(Transaction, Slice, int)].
/// Records of 64 KB and more are cut into chunks and may be read and written as streams, of any length.
///
/// This is a handle, like a `Cursor`: one thread at a time uses it, with any transactions of the store. Every
/// thread opens its own; all of them share the ids. A transaction that began before the collection was made
/// cannot be used with it.
public final class Records {
    private final String name;
    private final Tree records;
    private final Tree directory;
    private final RecordIds ids;
    private final RecordChunks chunks;
    private final RecordIds.Token token = new RecordIds.Token();

    private final MemorySegment keyMemory = Arena.ofAuto().allocate(RecordFormat.CHUNK_KEY_BYTES);
    private final Slice key = new Slice();

    /// Buffer for content, with space for a header before it; grows up to a chunk. Padded rows are never longer
    /// than its first size.
    private MemorySegment memory =
            Arena.ofAuto().allocate(RecordFormat.INLINE_BYTES_MAX + RecordFormat.HEADER_BYTES_MAX);

    private final Slice row = new Slice();
    private final Slice rowBefore = new Slice();

    /// Transaction that wrote last; `changes` has its changes to ids.
    private @Nullable Transaction writing;

    private RecordIds.Changes changes;

    private Records(String name, Tree records, Tree directory, RecordIds ids) {
        this.name = name;
        this.records = records;
        this.directory = directory;
        this.ids = ids;
        this.chunks = new RecordChunks(records);
        this.changes = new RecordIds.Changes(ids);
    }

    /// Opens the collection `name` of `store`. If it does not exist, a separate transaction makes it: not to be
    /// called while the same thread has a writing transaction open.
    public static Records open(Store store, String name) {
        String directoryName = name + "/directory";
        Tree records = null;
        Tree directory = null;
        try (Transaction transaction = store.beginRead()) {
            records = transaction.tree(name);
            directory = transaction.tree(directoryName);
        }
        if (records == null || directory == null) {
            try (Transaction transaction = store.beginExclusive()) {
                records = existing(transaction, name);
                directory = existing(transaction, directoryName);
                transaction.commit();
            }
        }
        Tree rows = records;
        Tree others = directory;
        RecordIds ids =
                store.shared(
                        name,
                        RecordIds.class,
                        _ -> {
                            try (Transaction transaction = store.beginRead()) {
                                return RecordIds.load(transaction, rows, others);
                            }
                        });
        return new Records(name, records, directory, ids);
    }

    private static Tree existing(Transaction transaction, String treeName) {
        Tree tree = transaction.tree(treeName);
        return tree != null ? tree : transaction.createTree(treeName);
    }

    /// Adds a record and returns its id.
    public long insert(Transaction transaction, Slice content) {
        return insert(transaction, content, 0);
    }

    /// Adds a record that is expected to grow to `bytesExpected` bytes, and returns its id. It is padded for that
    /// if the record fits into a page with others (about 2,000 bytes).
    ///
    /// @throws UsageException if `bytesExpected` is negative
    public long insert(Transaction transaction, Slice content, int bytesExpected) {
        checkExpected(bytesExpected);
        if (content.length() >= RecordFormat.CHUNK_BYTES) {
            return insertBig(transaction, RecordPieces.of(content));
        }
        stage(content);
        return insertStaged(transaction, content.length(), bytesExpected);
    }

    /// Like [#insert(Transaction, Slice)].
    public long insert(Transaction transaction, byte[] content) {
        return insert(transaction, content, 0);
    }

    /// Like [#insert(Transaction, Slice, int)].
    public long insert(Transaction transaction, byte[] content, int bytesExpected) {
        checkExpected(bytesExpected);
        if (content.length >= RecordFormat.CHUNK_BYTES) {
            return insertBig(transaction, RecordPieces.of(content));
        }
        stage(content);
        return insertStaged(transaction, content.length, bytesExpected);
    }

    /// Adds a record with the rest of the stream `content`. It is not gathered on the heap: it goes piece by
    /// piece into the pages of the transaction.
    ///
    /// @throws IOException if `content` cannot be read; no record has been added then
    public long insert(Transaction transaction, InputStream content) throws IOException {
        return insertBig(transaction, RecordPieces.of(content));
    }

    private static void checkExpected(int bytesExpected) {
        if (bytesExpected < 0) {
            throw new UsageException(
                    "The expected size of a record is negative; give 0 or more",
                    "bytesExpected=" + bytesExpected);
        }
    }

    /// Copies `content` to the buffer: it may lie in a page that is about to change.
    private void stage(Slice content) {
        reserve(content.length());
        MemorySegment.copy(
                content.segment(),
                content.offset(),
                memory,
                RecordFormat.HEADER_BYTES_MAX,
                content.length());
    }

    private void stage(byte[] content) {
        reserve(content.length);
        MemorySegment.copy(
                content, 0, memory, Page.BYTE, RecordFormat.HEADER_BYTES_MAX, content.length);
    }

    private void reserve(int length) {
        long bytes = (long) length + RecordFormat.HEADER_BYTES_MAX;
        if (memory.byteSize() < bytes) {
            memory = NativeMemory.allocate(Math.max(bytes, 2 * memory.byteSize()), 1);
        }
    }

    private long insertStaged(Transaction transaction, int length, int bytesExpected) {
        long id = allot(transaction);
        RecordFormat.wrap(memory, length, RecordFormat.firstRowBytes(length, bytesExpected), row);
        addRow(transaction, id);
        return id;
    }

    private void addRow(Transaction transaction, long id) {
        if (!transaction.insert(records, rowKey(id), row)) {
            throw RecordFormat.damaged("an id was in use, records=" + name + " id=" + id);
        }
    }

    private <E extends Exception> long insertBig(Transaction transaction, RecordPieces<E> pieces)
            throws E {
        reserve(RecordFormat.CHUNK_BYTES);
        int first = pieces.next(memory, RecordFormat.HEADER_BYTES_MAX);
        if (first < RecordFormat.CHUNK_BYTES) {
            return insertStaged(transaction, first, 0);
        }
        long id = allot(transaction);
        boolean whole = false;
        try {
            long length = chunks.write(transaction, id, 0, memory, pieces);
            RecordFormat.big(memory, 0, length, row);
            addRow(transaction, id);
            whole = true;
            return id;
        } finally {
            if (!whole) {
                chunks.delete(transaction, id, 0);
                free(transaction, id);
            }
        }
    }

    /// Returns a free id, or one that was never used.
    private long allot(Transaction transaction) {
        checkWritable(transaction);
        while (ids.take(transaction.snapshot(), token)) {
            Slice freeKey = freeKey(token.id);
            if (transaction.get(directory, freeKey, rowBefore)
                    && RecordFormat.number(rowBefore) == token.stamp) {
                changes(transaction).taken(token);
                transaction.delete(directory, freeKey);
                return token.id;
            }
        }
        return ids.fresh();
    }

    private static void checkWritable(Transaction transaction) {
        if (!transaction.writable()) {
            throw new UsageException("The transaction is read-only; begin one that writes", "");
        }
    }

    @SuppressWarnings("ReferenceEquality") // this very transaction, not one like it
    private RecordIds.Changes changes(Transaction transaction) {
        if (writing != transaction) {
            RecordIds.Changes begun = new RecordIds.Changes(ids);
            transaction.beforePublish(begun);
            changes = begun;
            writing = transaction;
        }
        return changes;
    }

    /// Frees `id` at the commit of the transaction.
    private void free(Transaction transaction, long id) {
        RecordIds.Changes mine = changes(transaction);
        long stamp = ids.nextStamp();
        MemorySegment value = rowBefore.setOwn(Long.BYTES).segment();
        value.set(Page.LONG, 0, stamp);
        transaction.put(directory, freeKey(id), rowBefore);
        mine.freed(id, stamp);
    }

    /// Points `content` at the record `id`; false if there is none. Allocates nothing, except for records too
    /// long for a page, which are assembled in memory of the slice.
    ///
    /// @throws UsageException if `id` is not positive
    /// @throws dev.oriel.store.LimitException if the record is longer than a slice can be; use [#open]
    public boolean fetch(Transaction transaction, long id, Slice content) {
        if (!transaction.get(records, rowKey(id), content)) {
            return false;
        }
        if (RecordFormat.isBig(content)) {
            chunks.fetch(transaction, id, content);
        } else {
            RecordFormat.content(content, content);
        }
        return true;
    }

    /// Returns a copy of the record `id`.
    ///
    /// @throws UsageException if there is none
    public byte[] fetch(Transaction transaction, long id) {
        if (!fetch(transaction, id, row)) {
            throw missing(id);
        }
        return row.toBytes();
    }

    /// Length of the record `id` in bytes.
    ///
    /// @throws UsageException if there is none
    public long length(Transaction transaction, long id) {
        find(transaction, id);
        if (RecordFormat.isBig(rowBefore)) {
            return RecordFormat.length(rowBefore);
        }
        RecordFormat.content(rowBefore, rowBefore);
        return rowBefore.length();
    }

    /// Opens the record `id` as a stream, for the transaction's thread while the transaction is open. The
    /// transaction itself should not change this record meanwhile. Otherwise the stream ends with an error or
    /// goes on in the new content.
    ///
    /// @throws UsageException if there is none
    public InputStream open(Transaction transaction, long id) {
        find(transaction, id);
        return RecordStream.of(transaction, records, id, rowBefore);
    }

    /// Replaces the record `id`.
    ///
    /// @throws UsageException if there is none
    public void update(Transaction transaction, long id, Slice content) {
        if (content.length() >= RecordFormat.CHUNK_BYTES) {
            updateBig(transaction, id, RecordPieces.of(content));
            return;
        }
        stage(content);
        find(transaction, id);
        updateStaged(transaction, id, content.length());
    }

    /// Like [#update(Transaction, long, Slice)].
    public void update(Transaction transaction, long id, byte[] content) {
        if (content.length >= RecordFormat.CHUNK_BYTES) {
            updateBig(transaction, id, RecordPieces.of(content));
            return;
        }
        stage(content);
        find(transaction, id);
        updateStaged(transaction, id, content.length);
    }

    /// Replaces the record `id` by the rest of the stream `content`, as [#insert(Transaction, InputStream)] does.
    ///
    /// @throws IOException if `content` cannot be read; the record is unchanged then
    /// @throws UsageException if there is none
    public void update(Transaction transaction, long id, InputStream content) throws IOException {
        updateBig(transaction, id, RecordPieces.of(content));
    }

    /// Writes the buffered content over the row found before.
    private void updateStaged(Transaction transaction, long id, int length) {
        boolean wasBig = RecordFormat.isBig(rowBefore);
        int generation = wasBig ? RecordFormat.generation(rowBefore) : 0;
        int rowBytes = RecordFormat.firstRowBytes(length, 0);
        if (!wasBig) {
            int rowBytesBefore = rowBefore.length();
            RecordFormat.content(rowBefore, rowBefore);
            rowBytes = RecordFormat.nextRowBytes(rowBytesBefore, rowBefore.length(), length);
        }
        RecordFormat.wrap(memory, length, rowBytes, row);
        transaction.put(records, rowKey(id), row);
        if (wasBig) {
            chunks.delete(transaction, id, generation);
        }
    }

    /// Writes the new chunks beside the old ones, so that a failing stream leaves the record unchanged.
    private <E extends Exception> void updateBig(
            Transaction transaction, long id, RecordPieces<E> pieces) throws E {
        checkWritable(transaction);
        find(transaction, id);
        reserve(RecordFormat.CHUNK_BYTES);
        int first = pieces.next(memory, RecordFormat.HEADER_BYTES_MAX);
        find(transaction, id); // the reads of the pieces may have used the transaction
        if (first < RecordFormat.CHUNK_BYTES) {
            updateStaged(transaction, id, first);
            return;
        }
        boolean wasBig = RecordFormat.isBig(rowBefore);
        int before = wasBig ? RecordFormat.generation(rowBefore) : 1;
        boolean whole = false;
        try {
            long length = chunks.write(transaction, id, 1 - before, memory, pieces);
            RecordFormat.big(memory, 1 - before, length, row);
            transaction.put(records, rowKey(id), row);
            whole = true;
        } finally {
            if (!whole) {
                chunks.delete(transaction, id, 1 - before);
            }
        }
        if (wasBig) {
            chunks.delete(transaction, id, before);
        }
    }

    /// Deletes the record `id`.
    ///
    /// @throws UsageException if there is none
    public void delete(Transaction transaction, long id) {
        checkWritable(transaction);
        find(transaction, id);
        boolean big = RecordFormat.isBig(rowBefore);
        int generation = big ? RecordFormat.generation(rowBefore) : 0;
        transaction.delete(records, rowKey(id));
        if (big) {
            chunks.delete(transaction, id, generation);
        }
        free(transaction, id);
    }

    /// Points `rowBefore` at the row of `id`.
    private void find(Transaction transaction, long id) {
        if (!transaction.get(records, rowKey(id), rowBefore)) {
            throw missing(id);
        }
    }

    private UsageException missing(long id) {
        return new UsageException(
                "There is no record of that id; it was deleted, or belongs to other records",
                "records=" + name + " id=" + id);
    }

    /// Returns the id of the root `root`, or 0 if there is none.
    public long root(Transaction transaction, String root) {
        return transaction.get(directory, rootKey(root), row) ? RecordFormat.number(row) : 0;
    }

    /// Names the record `id` as a root, so that it can be found without its id.
    ///
    /// @throws UsageException if there is no such record, or the name has no bytes or more than 999
    public void setRoot(Transaction transaction, String root, long id) {
        checkWritable(transaction);
        find(transaction, id);
        Slice rootKey = rootKey(root);
        row.setOwn(Long.BYTES).segment().set(Page.LONG, 0, id);
        transaction.put(directory, rootKey, row);
    }

    /// Removes a root; false if there was none.
    public boolean removeRoot(Transaction transaction, String root) {
        checkWritable(transaction);
        return transaction.delete(directory, rootKey(root));
    }

    private static Slice rootKey(String root) {
        byte[] text = root.getBytes(StandardCharsets.UTF_8);
        if (text.length == 0 || text.length >= Node.KEY_BYTES_MAX) {
            throw new UsageException(
                    "The name of a root must have 1 to 999 bytes", "bytes=" + text.length);
        }
        byte[] bytes = new byte[1 + text.length];
        bytes[0] = RecordFormat.ROOT;
        System.arraycopy(text, 0, bytes, 1, text.length);
        return Slice.copyOf(bytes);
    }

    /// Reads everything and returns the faults found, a sentence each; an empty list if there are none.
    public List<String> check(Transaction transaction) {
        return new RecordCheck(transaction, records, directory).run();
    }

    private Slice rowKey(long id) {
        if (id <= 0) {
            throw new UsageException("The id of a record is a positive number", "id=" + id);
        }
        return RecordFormat.rowKey(keyMemory, id, key);
    }

    private Slice freeKey(long id) {
        return RecordFormat.freeKey(keyMemory, id, key);
    }
}
